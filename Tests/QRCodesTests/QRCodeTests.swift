import CPNG
import Testing

@testable import QRCodes

@Suite("QR codes", .timeLimit(.minutes(5)))
struct QRCodeTests {
    static let address = "LNURL1DP68GURN8GHJ7ETCV9KHQMR99E3K7MF09EMK2MRV944KUMMHDCHKCMN4WFK8QTMPD35KXEG9SAEVQ"

    /// The pattern at three corners by which a reader finds a symbol.
    static let finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]

    @Test("Three corners carry the finder pattern, the fourth does not", arguments: QRCode.Correction.allCases)
    func corners(correction: QRCode.Correction) throws {
        let code = try QRCode(Self.address, correction: correction)
        let far = code.size - 7
        func corner(_ x: Int, _ y: Int) -> [String] {
            (0..<7).map { row in (0..<7).map { code.isDark(x: x + $0, y: y + row) ? "#" : "." }.joined() }
        }
        #expect(corner(0, 0) == Self.finder)
        #expect(corner(far, 0) == Self.finder)
        #expect(corner(0, far) == Self.finder)
        #expect(corner(far, far) != Self.finder)
        #expect((code.size - 17) % 4 == 0)
    }

    @Test("Upper case goes into the alphanumeric mode and makes a smaller symbol")
    func upperCase() throws {
        // Version 5 holds 154 alphanumeric characters at level L, version 4 only 114 of them but 78 bytes.
        #expect(try QRCode(Self.address).size == 33)
        #expect(try QRCode(Self.address.lowercased()).size == 37)
    }

    @Test("Places outside the symbol are light")
    func outside() throws {
        let code = try QRCode("A")
        #expect(code.size == 21)
        #expect(!code.isDark(x: -1, y: 0))
        #expect(!code.isDark(x: 0, y: 21))
    }

    @Test("The empty text, one with a null and one too long are refused")
    func refused() {
        #expect(throws: QRFault.empty) { try QRCode("") }
        #expect(throws: QRFault.containsNull) { try QRCode("a\0b") }
        #expect(throws: QRFault.tooLong) { try QRCode(String(repeating: "a", count: 2954)) }
        #expect(throws: Never.self) { try QRCode(String(repeating: "a", count: 2953)) }
    }

    @Test(
        "Half blocks give the symbol back, module by module, with a quiet zone of four",
        arguments: [
            QRCode.TerminalStyle.plain, .colored,
        ])
    func terminal(style: QRCode.TerminalStyle) throws {
        let code = try QRCode(Self.address)
        let inked: Bool = style == .colored
        let lines = code.terminalText(style).split(separator: "\n").map { line in
            line.filter { "█▀▄ ".contains($0) }
        }
        #expect(lines.count == (code.size + 8 + 1) / 2)
        for y in -4..<(code.size + 4) {
            let line = Array(lines[(y + 4) / 2])
            #expect(line.count == code.size + 8)
            for x in -4..<(code.size + 4) {
                let half: Set<Character> = (y + 4) % 2 == 0 ? ["█", "▀"] : ["█", "▄"]
                #expect(half.contains(line[x + 4]) == (code.isDark(x: x, y: y) == inked))
            }
        }
    }

    @Test("The SVG paths cover the dark modules and nothing else")
    func svg() throws {
        let code = try QRCode(Self.address)
        let svg = code.svg
        let side = code.size + 8
        #expect(svg.contains("viewBox=\"0 0 \(side) \(side)\""))
        let path = try #require(svg.split(separator: "\"").first { $0.hasPrefix("M") })
        var dark: Set<[Int]> = []
        for run in path.split(separator: "z") {
            let numbers = run.split { !$0.isNumber }.compactMap { Int($0) }
            for x in 0..<numbers[2] { dark.insert([numbers[0] + x - 4, numbers[1] - 4]) }
        }
        for y in 0..<code.size {
            for x in 0..<code.size { #expect(dark.contains([x, y]) == code.isDark(x: x, y: y)) }
        }
    }

    @Test("The PNG file reads back as the symbol, each module scaled", arguments: [1, 3, 8])
    func png(scale: Int) throws {
        let code = try QRCode(Self.address)
        let file = try code.png(scale: scale)
        #expect(file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        try #require(png_image_begin_read_from_memory(&image, file, file.count) != 0)
        let side = (code.size + 8) * scale
        #expect(image.width == png_uint_32(side))
        #expect(image.height == png_uint_32(side))
        image.format = 0
        var pixels = [UInt8](repeating: 1, count: side * side)
        try #require(png_image_finish_read(&image, nil, &pixels, 0, nil) != 0)
        for y in 0..<side {
            for x in 0..<side {
                let expected: UInt8 = code.isDark(x: x / scale - 4, y: y / scale - 4) ? 0 : 255
                if pixels[y * side + x] != expected { Issue.record("pixel \(x),\(y)") }
            }
        }
    }
}
