public import LightningCoding

/// The error response of every LNURL service: `{"status":"ERROR","reason":"…"}` (LUD-01).
///
/// The body counts, whatever the HTTP status.
public struct ErrorResponse: Hashable, Sendable {
    /// The reason, for people; empty when the service gives none.
    public let reason: String

    /// Creates an error response.
    public init(reason: String) {
        self.reason = reason
    }

    /// Parses a body; nil when it is not an error. Case is ignored.
    public init?(json: JSONValue) {
        guard json["status"]?.string?.lowercasedASCII.isExactly("error") == true else { return nil }
        reason = json["reason"]?.string ?? ""
    }

    /// The body.
    public var json: JSONValue { ["status": "ERROR", "reason": .string(reason)] }
}
