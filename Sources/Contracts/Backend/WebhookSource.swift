public import LightningCoding

/// A backend whose node tells of payments by HTTP calls: the service takes them at `/backend/{name}/events` and hands them on.
public protocol WebhookSource: Sendable {
    /// The longest body that the node sends, in bytes; a longer one is refused unread.
    var bodyLimit: Int { get }

    /// Takes a call in. The signature over the body is checked before anything else is looked at, in constant time.
    ///
    /// What the call tells is believed no further than that it is time to look: it wakes the backend's
    /// `settlements(after:)`, which asks the node itself.
    func receive(_ call: BackendWebhook) async throws(WebhookFault)
}

/// A call of a node.
public struct BackendWebhook: Hashable, Sendable {
    /// The body, as it was signed.
    public let body: [UInt8]
    private let headers: [ExactText: String]

    /// Creates a call.
    ///
    /// - Parameter headers: names in any case; of several of one name the first counts.
    public init(headers: [(name: String, value: String)], body: [UInt8]) {
        self.body = body
        self.headers = Dictionary(headers.map { (ExactText($0.name.lowercasedASCII), $0.value) }) { first, _ in first }
    }

    /// The value of a header, its name in any case; nil when there is none.
    public func header(_ name: String) -> String? { headers[ExactText(name.lowercasedASCII)] }
}

/// Why a call is not taken in.
public enum WebhookFault: Error, Hashable, Sendable {
    /// There is no signature, or it is another's.
    case forged
    /// The call was signed too long ago or ahead of time, so that it may be a repetition.
    case stale
    /// It is signed, and makes no sense.
    case malformed(String)
}

extension WebhookFault: ReadableFault {
    /// What the operator reads.
    public var reason: String {
        switch self {
        case .forged: "the signature is missing or wrong"
        case .stale: "the signature is too old, or ahead of time"
        case .malformed(let what): "the event makes no sense: \(what)"
        }
    }
}
