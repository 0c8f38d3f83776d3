/// Percent-encoding of URL components (RFC 3986, section 2.1).
public enum PercentEncoding {
    private static let percent = UInt8(ascii: "%")
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes the UTF-8 bytes of a text; only unreserved characters (letters, digits, `-._~`) are kept.
    public static func encode(_ text: String) -> String {
        encode(text, keeping: isUnreserved)
    }

    /// Decodes `%xx` to UTF-8 text, and `+` to a space in form data.
    ///
    /// Throws `truncated` or `invalidCharacter` for a malformed escape, and `invalidUTF8` at the offset in the decoded
    /// bytes.
    public static func decode(_ text: some StringProtocol, plusIsSpace: Bool) throws(CodingFault) -> String {
        let characters = Array(text.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count)
        var index = 0
        while index < characters.count {
            let character = characters[index]
            if character == percent {
                bytes.append(try escapedByte(in: characters, at: index))
                index += 3
            } else {
                bytes.append(plusIsSpace && character == UInt8(ascii: "+") ? UInt8(ascii: " ") : character)
                index += 1
            }
        }
        return try UTF8Text.string(bytes)
    }

    /// Encodes every byte except those for which `isKept` is true.
    static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isKept(byte) {
                encoded.append(byte)
            } else {
                encoded.append(percent)
                encoded.append(digits[Int(byte >> 4)])
                encoded.append(digits[Int(byte & 0x0f)])
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func escapedByte(in characters: [UInt8], at index: Int) throws(CodingFault) -> UInt8 {
        guard index + 2 < characters.count else { throw CodingFault(.truncated, at: index) }
        guard let high = Hexadecimal.digit(characters[index + 1]), let low = Hexadecimal.digit(characters[index + 2])
        else { throw CodingFault(.invalidCharacter, at: index) }
        return high << 4 | low
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
