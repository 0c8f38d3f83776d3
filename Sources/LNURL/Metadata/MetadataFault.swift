public import LightningCoding

/// Why a metadata string is refused (LUD-06, LUD-16, LUD-20).
public enum MetadataFault: Error, Hashable, Sendable {
    /// It is no JSON text.
    case json(JSONFault)
    /// It is no JSON array.
    case notAnArray
    /// The entry at this index is no array that begins with a string.
    case malformedEntry(at: Int)
    /// The content of an entry whose type is known is no string; its type.
    case contentNotText(String)
    /// A type that may stand once stands again.
    case repeated(String)
    /// There is no `text/plain`.
    case missingPlainText
    /// There is more than one picture, of one format or of two.
    case severalImages
    /// A picture has more than 136536 characters of base64.
    case imageTooLong
}
