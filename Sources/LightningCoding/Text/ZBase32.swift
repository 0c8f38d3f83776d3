/// z-base-32, the encoding of signed Lightning messages: 5 bits per character, without padding characters.
public enum ZBase32 {
    private static let alphabet = Array("ybndrfg8ejkmcpqxot1uwisza345h769".utf8)
    private static let values = CharacterValues(of: alphabet)

    /// Encodes bytes; unused bits of the last character are zero.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let groups = Regrouping.groups(fromBytes: Array(bytes))
        return String(decoding: groups.map { alphabet[Int($0)] }, as: UTF8.self)
    }

    /// Decodes lower-case text.
    ///
    /// Throws `invalidCharacter`, or `badPadding` when the bits beyond the last byte are more than 4 or not zero.
    public static func decode(_ text: some StringProtocol) throws(CodingFault) -> [UInt8] {
        var groups: [UInt8] = []
        groups.reserveCapacity(text.utf8.count)
        for character in text.utf8 {
            guard let group = values[character] else { throw CodingFault(.invalidCharacter, at: groups.count) }
            groups.append(group)
        }
        return try Regrouping.bytes(fromGroups: groups)
    }
}
