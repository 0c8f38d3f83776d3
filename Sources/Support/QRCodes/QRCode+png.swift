import CPNG

extension QRCode {
    /// The symbol with its quiet zone as a grayscale PNG image.
    ///
    /// - Parameter scale: the side of a module in pixels, 1 to 64.
    /// - Throws: ``QRFault/image``.
    package func png(scale: Int = 8) throws(QRFault) -> [UInt8] {
        let scale = min(max(scale, 1), 64)
        let side = (size + 2 * Self.quietZone) * scale
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(side)
        image.height = png_uint_32(side)
        image.format = 0  // PNG_FORMAT_GRAY
        let pixels = pixels(scale: scale)
        // Compression never grows n bytes by more than a few bytes per row plus the file overhead.
        var length = png_alloc_size_t(pixels.count + pixels.count / 1000 + side + 1024)
        var file = [UInt8](repeating: 0, count: Int(length))
        let status = png_image_write_to_memory(&image, &file, &length, 0, pixels, 0, nil)
        guard status != 0 else { throw .image }
        return Array(file.prefix(Int(length)))
    }

    private func pixels(scale: Int) -> [UInt8] {
        let modules = -Self.quietZone..<(size + Self.quietZone)
        return modules.flatMap { y in
            let row = modules.flatMap { x in repeatElement(isDark(x: x, y: y) ? 0 : 255 as UInt8, count: scale) }
            return repeatElement(row, count: scale).joined()
        }
    }
}
