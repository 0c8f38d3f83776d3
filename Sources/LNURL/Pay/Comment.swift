/// A payer's words (LUD-12), counted as people count.
public enum Comment {
    /// The most bytes of UTF-8 that one character may take on average: the longest emoji of Unicode's recommended set has
    /// 35. Without it, marks piled on one letter would be one character of any length.
    public static let maximumBytesPerCharacter = 40

    /// Whether a text has at most so many characters.
    ///
    /// The standard does not say what a character is, and wallets count differently. Grapheme clusters are counted here:
    /// they are never more than Unicode scalars, and scalars never more than bytes, so a text that fits by any of these
    /// counts fits.
    public static func fits(_ text: String, allowed: Int) -> Bool {
        let bytes = text.utf8.count
        if bytes <= allowed { return true }
        return bytes / maximumBytesPerCharacter <= allowed && text.count <= allowed
    }
}
