/// Base 16: two digits per byte.
public enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Encodes bytes in lower case.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        let digits = digits
        return String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            var position = 0
            for byte in bytes {
                text[position] = digits[Int(byte >> 4)]
                text[position + 1] = digits[Int(byte & 0x0f)]
                position += 2
            }
            return position
        }
    }

    /// Decodes digits of either case.
    ///
    /// Throws `oddLength` or `invalidCharacter`.
    public static func decode(_ text: some StringProtocol) throws(CodingFault) -> [UInt8] {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 2) else { throw CodingFault(.oddLength, at: characters.count) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 2)
        for index in stride(from: 0, to: characters.count, by: 2) {
            guard let high = digit(characters[index]) else { throw CodingFault(.invalidCharacter, at: index) }
            guard let low = digit(characters[index + 1]) else { throw CodingFault(.invalidCharacter, at: index + 1) }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The value of one digit of either case.
    static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
