public import LightningCoding

/// Why a metadata string is refused (LUD-06, LUD-16, LUD-20).
public enum MetadataFault: Error, Hashable, Sendable {
    /// It is not JSON.
    case json(JSONFault)
    /// It is not a JSON array.
    case notAnArray
    /// The entry at this index is not an array beginning with a string.
    case malformedEntry(at: Int)
    /// The content of a known entry type is not a string; its type.
    case contentNotText(String)
    /// A type that is allowed once is repeated.
    case repeated(String)
    /// There is no `text/plain`.
    case missingPlainText
    /// There is more than one image, of whatever format.
    case severalImages
    /// An image has more than 136536 characters of base64.
    case imageTooLong
}
