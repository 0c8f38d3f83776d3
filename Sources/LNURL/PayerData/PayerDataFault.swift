public import LightningCoding

/// Why payer data is refused (LUD-18), in the order of the checks.
public enum PayerDataFault: Error, Hashable, Sendable {
    /// It has more than 2048 bytes.
    case tooLong
    /// It is not JSON.
    case json(JSONFault)
    /// It is not a JSON object.
    case notAnObject
    /// A requested field has the wrong type, or cannot be parsed.
    case malformed(PayerDataSpec.Field)
    /// The signature is not valid for that key and challenge (LUD-04).
    case badSignature
    /// A mandatory field is missing, null or empty.
    case missing(PayerDataSpec.Field)
}
