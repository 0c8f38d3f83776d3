/// Base 64 with the alphabet that is safe in URLs, without padding (RFC 4648, section 5; RFC 7515, section 2).
public enum Base64URL {
    /// Encodes bytes.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let text = Base64.encode(bytes).utf8.filter { $0 != UInt8(ascii: "=") }
        return String(decoding: text.map { exchanged($0, "+", "-", "/", "_") }, as: UTF8.self)
    }

    /// Decodes text without padding; unused bits of the last character must be zero.
    ///
    /// Throws `truncated`, `invalidCharacter` or `badPadding`.
    public static func decode(_ text: some StringProtocol) throws(CodingFault) -> [UInt8] {
        if let index = Array(text.utf8).firstIndex(where: { foreign.contains($0) }) {
            throw CodingFault(.invalidCharacter, at: index)
        }
        guard text.utf8.count % 4 != 1 else { throw CodingFault(.truncated, at: text.utf8.count) }
        let standard = text.utf8.map { exchanged($0, "-", "+", "_", "/") }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        return try Base64.decode(String(decoding: standard + padding, as: UTF8.self))
    }

    /// The characters of the standard alphabet that this one has not.
    private static let foreign = Array("+/=".utf8)

    private static func exchanged(
        _ byte: UInt8, _ first: Unicode.Scalar, _ firstOther: Unicode.Scalar, _ second: Unicode.Scalar,
        _ secondOther: Unicode.Scalar
    ) -> UInt8 {
        switch byte {
        case UInt8(ascii: first): UInt8(ascii: firstOther)
        case UInt8(ascii: second): UInt8(ascii: secondOther)
        default: byte
        }
    }
}
