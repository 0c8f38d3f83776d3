import LightningCoding
package import OutboundHTTP

/// An answer of FCM, however incomplete: errors may be HTML, or lack their details.
///
/// Source: Google, "FCM error codes".
package struct FCMAnswer: Hashable, Sendable {
    package let status: Int
    package let name: String?
    /// FCM's own code of an error, from its details; the general status is less exact.
    package let code: String?
    /// Whether the limit of the whole project is reached, not that of a device: the gateway before FCM says so.
    package let isOfProject: Bool
    /// The fields that a malformed request has wrong.
    package let wrongFields: [String]
    /// How many seconds to wait.
    package let retryAfter: UInt64?

    package init(_ response: HTTPResponse) {
        self.init(
            status: response.status, retryAfter: response.headers.first(named: "retry-after"), body: response.body)
    }

    /// Reads a status, the field `Retry-After`, and a body.
    package init(status: Int, retryAfter: String? = nil, body: [UInt8]) {
        let json = try? JSONValue(parsing: body)
        let details = json?["error"]?["details"]?.array ?? []
        self.status = status
        self.retryAfter = RetryAfter.seconds(retryAfter)
        name = json?["name"]?.string
        isOfProject = details.contains { $0["reason"]?.string == "RATE_LIMIT_EXCEEDED" }
        code = details.lazy.compactMap { $0["errorCode"]?.string }.first
        wrongFields = details.flatMap { $0["fieldViolations"]?.array ?? [] }.compactMap { $0["field"]?.string }
    }

    package var verdict: PushVerdict {
        guard status != 200 else { return .accepted(id: name) }
        let reason = code ?? "status \(status)"
        switch (status, code) {
        case (404, "UNREGISTERED"): return .gone(since: nil)
        case (400, _): return wrongFields.contains("message.token") ? .gone(since: nil) : .invalidRequest(reason)
        case (403, "SENDER_ID_MISMATCH"): return .foreign(reason)
        case (401, "THIRD_PARTY_AUTH_ERROR"): return .misconfigured(reason)
        case (401, _): return .credentialExpired
        case (403, _): return .credentialRefused(reason, mayBeTheConnection: false)
        case (404, _): return .misconfigured(reason)
        case (413, _): return .tooLarge
        case (429, _) where isOfProject: return .quotaExceeded(retryAfter: retryAfter ?? 60)
        case (429, _): return .deviceBusy(retryAfter: retryAfter ?? 60)
        case (500..., _): return .unavailable(reason, retryAfter: retryAfter)
        default: return .invalidRequest(reason)
        }
    }
}

/// The field `Retry-After` (RFC 9110, section 10.2.3) as a number of seconds; a date is ignored.
enum RetryAfter {
    /// The longest pause that is obeyed: a day, in seconds.
    static let maximum: UInt64 = 86_400

    static func seconds(_ text: String?) -> UInt64? {
        text.flatMap { text in
            text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(text).map { min($0, maximum) } : nil
        }
    }
}
