/// Base 64 (RFC 4648): three bytes in four characters.
public enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values = CharacterValues(of: letters)
    private static let padding = UInt8(ascii: "=")

    /// Encodes bytes in the standard alphabet, padded with `=` (RFC 4648, section 4).
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text = regroup(Array(bytes)[...], from: 8, to: 6, isPadded: true).groups.map { letters[Int($0)] }
        while !text.count.isMultiple(of: 4) { text.append(padding) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes the standard alphabet with padding; unused bits of the last character must be zero.
    ///
    /// Throws `truncated` when the length is not a multiple of 4, `invalidCharacter` or `badPadding`.
    public static func decode(_ text: some StringProtocol) throws(CodingFault) -> [UInt8] {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 4) else { throw CodingFault(.truncated, at: characters.count) }
        let paddingCount = characters.suffix(2).reversed().prefix { $0 == padding }.count
        var sextets: [UInt8] = []
        sextets.reserveCapacity(characters.count)
        for (index, character) in characters.dropLast(paddingCount).enumerated() {
            guard let value = values[character] else { throw CodingFault(.invalidCharacter, at: index) }
            sextets.append(value)
        }
        let (bytes, rest, _) = regroup(sextets[...], from: 6, to: 8)
        guard rest == 0 else { throw CodingFault(.badPadding, at: characters.count - paddingCount - 1) }
        return bytes
    }
}

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
