public import LightningCoding

/// A reply to be posted to a reply URL or included in the response to a webhook.
public struct Reply: Hashable, Sendable {
    /// The body: JSON, the same bytes for the same answer.
    public let body: [UInt8]
    /// Seconds for which it may be cached (`Cache-Control: max-age`); nil when unspecified.
    public let maxAge: UInt64?
    /// Seconds after which a retry may help; nil when unknown.
    public let retryAfter: UInt64?
    /// Whether it is an error.
    public let isError: Bool

    /// Creates a reply. A `maxAge` of 0 is the same as none.
    public init(_ json: JSONValue, maxAge: UInt64? = nil, retryAfter: UInt64? = nil, isError: Bool = false) {
        body = json.serializedBytes()
        self.maxAge = maxAge == 0 ? nil : maxAge
        self.retryAfter = retryAfter
        self.isError = isError
    }

    /// The value of `Cache-Control`, or nil when there is none.
    public var cacheControl: String? { maxAge.map { "max-age=\($0)" } }
}
