public import LightningCoding

/// What is posted to a reply URL, or stands in the response to a webhook.
public struct Reply: Hashable, Sendable {
    /// The body: JSON, the same bytes for the same answer.
    public let body: [UInt8]
    /// Seconds for which it may be kept (`Cache-Control: max-age`); nil when nothing is said about that.
    public let maxAge: UInt64?
    /// Seconds after which asking again may help; nil when nothing is known about that.
    public let retryAfter: UInt64?
    /// Whether it tells the payer that there is nothing for them.
    public let isError: Bool

    /// What its body is (`Content-Type`).
    public static let contentType = "application/json"

    /// Creates a reply. An age of 0 says nothing, as no age does.
    public init(_ json: JSONValue, maxAge: UInt64? = nil, retryAfter: UInt64? = nil, isError: Bool = false) {
        body = json.serializedBytes()
        self.maxAge = maxAge == 0 ? nil : maxAge
        self.retryAfter = retryAfter
        self.isError = isError
    }

    /// The value of `Cache-Control`, or nil when there is none.
    public var cacheControl: String? { maxAge.map { "max-age=\($0)" } }
}
