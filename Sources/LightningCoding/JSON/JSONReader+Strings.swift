extension JSONReader {
    /// Reads a string from its opening quote to its closing one.
    mutating func readString() throws(JSONFault) -> String {
        position += 1
        let start = position
        var unescaped: [UInt8]?
        while true {
            switch try next() {
            case UInt8(ascii: "\""):
                return try text(unescaped?[...] ?? bytes[start..<position - 1], at: start)
            case UInt8(ascii: "\\"):
                var buffer = unescaped ?? Array(bytes[start..<position - 1])
                unescaped = nil
                try readEscape(into: &buffer)
                unescaped = buffer
            case 0..<0x20:
                throw JSONFault(.unexpectedByte, at: position - 1)
            case let byte:
                unescaped?.append(byte)
            }
        }
    }

    private func text(_ bytes: ArraySlice<UInt8>, at start: Int) throws(JSONFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw JSONFault(.invalidUTF8, at: start) }
        return text
    }

    private mutating func readEscape(into buffer: inout [UInt8]) throws(JSONFault) {
        let start = position - 1
        switch try next() {
        case UInt8(ascii: "\""): buffer.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): buffer.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): buffer.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0c)
        case UInt8(ascii: "n"): buffer.append(0x0a)
        case UInt8(ascii: "r"): buffer.append(0x0d)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"): buffer.append(contentsOf: String(try readScalar(from: start)).utf8)
        default: throw JSONFault(.invalidEscape, at: start)
        }
    }

    /// A scalar from one `\uXXXX`, or from the two of a surrogate pair; half a pair is invalid.
    private mutating func readScalar(from start: Int) throws(JSONFault) -> Unicode.Scalar {
        var value = try readCodeUnit(from: start)
        if (0xd800..<0xdc00).contains(value) {
            guard try next() == UInt8(ascii: "\\"), try next() == UInt8(ascii: "u") else {
                throw JSONFault(.invalidEscape, at: start)
            }
            let low = try readCodeUnit(from: start)
            guard (0xdc00..<0xe000).contains(low) else { throw JSONFault(.invalidEscape, at: start) }
            value = 0x10000 + (value - 0xd800) << 10 + (low - 0xdc00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw JSONFault(.invalidEscape, at: start) }
        return scalar
    }

    private mutating func readCodeUnit(from start: Int) throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Hexadecimal.digit(try next()) else { throw JSONFault(.invalidEscape, at: start) }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
