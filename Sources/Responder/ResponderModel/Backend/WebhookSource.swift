import LightningCoding

/// A backend whose node reports payments by HTTP: the service receives the calls at `/backend/{name}/events` and passes
/// them on.
package protocol WebhookSource: Sendable {
    /// The longest body that the node sends, in bytes; longer ones are rejected unread.
    var bodyLimit: Int { get }

    /// Processes a call. The signature over the body is checked first, in constant time.
    ///
    /// The content is only a hint: it wakes the backend's `settlements(after:)`, which queries the node itself.
    func receive(_ call: BackendWebhook) async throws(WebhookFault)
}

package struct BackendWebhook: Hashable, Sendable {
    /// The body, as signed.
    package let body: [UInt8]
    private let headers: [ExactText: String]

    /// - Parameter headers: names in any case; the first of several with one name counts.
    package init(headers: [(name: String, value: String)], body: [UInt8]) {
        self.body = body
        self.headers = Dictionary(headers.map { (ExactText($0.name.lowercasedASCII), $0.value) }) { first, _ in first }
    }

    /// The value of a header, by its name in any case; nil when there is none.
    package func header(_ name: String) -> String? { headers[ExactText(name.lowercasedASCII)] }
}

package enum WebhookFault: Error, Hashable, Sendable {
    case forged
    /// The signature's time is too old or in the future, so it may be a replay.
    case stale
    case malformed(String)
}

extension WebhookFault: ReadableFault {
    package var reason: String {
        switch self {
        case .forged: "the signature is missing or wrong"
        case .stale: "the signature is too old, or from the future"
        case .malformed(let what): "the event is malformed: \(what)"
        }
    }
}
