import LightningCoding
package import OutboundHTTP

/// An answer of APNs.
///
/// Source: Apple, "Handling notification responses from APNs".
package struct APNsAnswer: Hashable, Sendable {
    package let status: Int
    /// The `reason` of a refusal; nil when there is none.
    package let reason: String?
    /// Since when the token is invalid, in milliseconds since 1970.
    package let timestamp: UInt64?
    package let id: String?

    /// Reads an answer; whatever is not as documented is left out.
    package init(_ response: HTTPResponse) {
        self.init(status: response.status, id: response.headers.first(named: "apns-id"), body: response.body)
    }

    package init(status: Int, id: String? = nil, body: [UInt8]) {
        let json = status == 200 ? nil : try? JSONValue(parsing: body)
        self.status = status
        self.id = id
        reason = json?["reason"]?.string
        timestamp = json?["timestamp"]?.uint64
    }

    package var verdict: PushVerdict {
        guard status != 200 else { return .accepted(id: id) }
        let reason = reason ?? "status \(status)"
        switch (status, reason) {
        case (400, "BadDeviceToken"): return .badToken
        case (400, "DeviceTokenNotForTopic"), (400, "BadTopic"), (400, "MissingTopic"), (400, "TopicDisallowed"):
            return .misconfigured(reason)
        case (400, "IdleTimeout"): return .connectionEnded
        case (403, "ExpiredProviderToken"): return .credentialExpired
        case (403, "UnrelatedKeyIdInToken"): return .credentialRefused(reason, mayBeTheConnection: true)
        case (403, _): return .credentialRefused(reason, mayBeTheConnection: false)
        case (410, _): return .gone(since: timestamp)
        case (413, _): return .tooLarge
        case (429, "TooManyProviderTokenUpdates"): return .credentialTooNew
        case (429, _): return .deviceBusy(retryAfter: nil)
        case (500..., _): return .outage(reason)
        default: return .invalidRequest(reason)
        }
    }
}
