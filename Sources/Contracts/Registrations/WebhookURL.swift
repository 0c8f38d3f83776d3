public import LightningCoding

/// Where an app user's questions are posted. Such URLs often hold the token by which a device is reached, so only its
/// origin is ever printed.
public struct WebhookURL: Hashable, Sendable {
    /// The URL, with its secrets.
    public let url: HTTPURL

    /// The longest URL, in bytes.
    public static let maximumCount = 2048

    /// Parses a URL, which is kept as written.
    public init(_ text: some StringProtocol) throws(URLFault) {
        guard text.utf8.count <= Self.maximumCount else { throw .tooLong }
        url = try HTTPURL(text)
    }

    /// The URL as it is written in requests.
    public var text: String { url.text }

    /// The URL without path and query: `https://example.com`.
    public var origin: String { url.scheme.rawValue + "://" + url.authority }
}

extension WebhookURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The origin.
    public var description: String { origin }

    /// The same.
    public var debugDescription: String { origin }

    /// Shows nothing to reflection (`dump`, failed expectations).
    public var customMirror: Mirror { Mirror(self, children: []) }
}
