public import LightningCoding

/// Why payer data are refused (LUD-18), in the order of the checks.
public enum PayerDataFault: Error, Hashable, Sendable {
    /// They have more than 2048 bytes.
    case tooLong
    /// They are no JSON text.
    case json(JSONFault)
    /// They are no JSON object.
    case notAnObject
    /// An asked field is of another type, or cannot be read.
    case malformed(PayerDataSpec.Field)
    /// The signature is not by that key over that challenge (LUD-04).
    case badSignature
    /// A mandatory field is missing, null or empty.
    case missing(PayerDataSpec.Field)
}
