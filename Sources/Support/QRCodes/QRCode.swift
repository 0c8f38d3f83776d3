import CQREncode

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A QR code as a square of dark and light modules (ISO/IEC 18004), encoded by libqrencode.
///
/// Upper-case text (`LNURL1…`) uses the alphanumeric mode, whose symbol is a third smaller than for lower case: LUD-01
/// asks for it.
package struct QRCode: Hashable, Sendable {
    /// The number of modules per side, 21 to 177, without the quiet zone.
    package let size: Int
    private let modules: [Bool]

    /// How much of a symbol may be damaged, in ascending order: 7, 15, 25 or 30 per cent.
    package enum Correction: Hashable, Sendable, CaseIterable {
        /// 7 per cent.
        case low
        /// 15 per cent.
        case medium
        /// 25 per cent.
        case quartile
        /// 30 per cent.
        case high
    }

    /// Creates the smallest symbol for the text, as UTF-8 where it is not alphanumeric.
    ///
    /// - Throws: ``QRFault``.
    package init(_ text: String, correction: Correction = .low) throws(QRFault) {
        guard !text.isEmpty else { throw .empty }
        guard !text.utf8.contains(0) else { throw .containsNull }
        guard let code = QRcode_encodeString(text, 0, correction.level, QR_MODE_8, 1) else {
            throw errno == ERANGE ? .tooLong : .encoder(errno: errno)
        }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        // The lowest bit of each byte is the module's color.
        modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    }

    /// Whether a module is dark. Positions outside the symbol are in the quiet zone, and light.
    package func isDark(x: Int, y: Int) -> Bool {
        guard (0..<size).contains(x), (0..<size).contains(y) else { return false }
        return modules[y * size + x]
    }

    /// The light border that a reader needs around a symbol, in modules.
    static let quietZone = 4
}

/// Why no symbol could be created.
package enum QRFault: Error, Hashable, Sendable {
    /// The text is empty.
    case empty
    /// The text contains U+0000, which the encoder would take for its end.
    case containsNull
    /// The text does not fit into the largest symbol.
    case tooLong
    case encoder(errno: Int32)
    case image
}

extension QRCode.Correction {
    fileprivate var level: QRecLevel {
        switch self {
        case .low: QR_ECLEVEL_L
        case .medium: QR_ECLEVEL_M
        case .quartile: QR_ECLEVEL_Q
        case .high: QR_ECLEVEL_H
        }
    }
}
