/// A payer's comment (LUD-12) and its length in user-perceived characters.
public enum Comment {
    /// The most UTF-8 bytes that a character may take on average: the longest emoji of Unicode's recommended set has
    /// 35. Otherwise marks piled on one letter would count as one character of any length.
    public static let maximumBytesPerCharacter = 40

    /// Whether a text has at most this many characters.
    ///
    /// The standard does not define a character, and wallets count differently. Grapheme clusters are counted here:
    /// never more than Unicode scalars, which are never more than bytes, so a text that fits by any of these counts is
    /// accepted.
    public static func fits(_ text: String, allowed: Int) -> Bool {
        let bytes = text.utf8.count
        if bytes <= allowed { return true }
        return bytes / maximumBytesPerCharacter <= allowed && text.count <= allowed
    }
}
