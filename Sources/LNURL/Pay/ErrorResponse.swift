public import LightningCoding

/// The answer of a service that will not, the same everywhere: `{"status":"ERROR","reason":"…"}` (LUD-01).
///
/// The body decides, whatever the HTTP status.
public struct ErrorResponse: Hashable, Sendable {
    /// Why, for people to read; empty when the service does not say.
    public let reason: String

    /// An answer with that reason.
    public init(reason: String) {
        self.reason = reason
    }

    /// Reads a body; nil when it is no error. The case of the word is not looked at.
    public init?(json: JSONValue) {
        guard json["status"]?.string?.lowercasedASCII.isExactly("error") == true else { return nil }
        reason = json["reason"]?.string ?? ""
    }

    /// The body.
    public var json: JSONValue { ["status": "ERROR", "reason": .string(reason)] }
}
