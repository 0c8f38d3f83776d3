/// A provider of push messages, as it is named in metrics and logs.
package enum PushProviderName: String, CaseIterable, Sendable {
    /// Apple Push Notification service.
    case apns
    /// Firebase Cloud Messaging.
    case fcm
    /// Push services of browsers and UnifiedPush.
    case webPush = "web-push"
}

package enum PushReport: Hashable, Sendable {
    /// A provider has answered, or has not.
    case answered(PushProviderName, PushPriority, PushVerdict, Duration)
    case ended(PushProviderName, PushPriority, PushOutcome)
    case alarm(PushProviderName, PushAlarm)
    /// A message is kept until it can be sent.
    case queued
    /// A device has replied, so long after its provider took the message.
    case replied(after: Duration)
    /// A device has not replied in time.
    case silent
}

extension PushVerdict {
    /// A word for metrics, one of a fixed set.
    package var label: String {
        switch self {
        case .accepted: "accepted"
        case .badToken: "bad-token"
        case .gone: "gone"
        case .misconfigured: "misconfigured"
        case .foreign: "foreign"
        case .invalidRequest: "invalid-request"
        case .refused: "refused"
        case .unauthorized: "unauthorized"
        case .tooLarge: "too-large"
        case .credentialExpired: "credential-expired"
        case .credentialRefused: "credential-refused"
        case .credentialTooNew: "credential-too-new"
        case .deviceBusy: "device-busy"
        case .quotaExceeded: "quota-exceeded"
        case .paused: "paused"
        case .unavailable, .outage, .unanswered: "unavailable"
        case .untrusted: "untrusted"
        case .connectionEnded: "connection-ended"
        }
    }
}

package enum PushVerdict: Error, Hashable, Sendable {
    /// The provider has taken it, which is not delivery.
    case accepted(id: String?)
    /// The provider does not know the device's token: it may be of another environment, or the server may be the wrong one.
    case badToken
    /// The token is no longer valid, since a moment in milliseconds since 1970, if the provider tells it.
    case gone(since: UInt64?)
    /// Token, topic and credential do not belong together: the operator must correct something, and the token is kept.
    case misconfigured(String)
    /// The token belongs to another project of the provider: it is kept and not used.
    case foreign(String)
    /// The provider does not take requests like ours: a defect of this program.
    case invalidRequest(String)
    /// The receiver's push service does not take this message; nothing follows for others.
    case refused(String)
    /// The receiver's push service does not accept our credential: perhaps only with this receiver.
    case unauthorized(String)
    case tooLarge
    case credentialExpired
    /// The credential is wrong; perhaps only on this connection.
    case credentialRefused(String, mayBeTheConnection: Bool)
    /// Credentials are renewed too often: the present one is to be used on another connection.
    case credentialTooNew
    /// Too many messages for this device; seconds to wait, if the provider tells them.
    case deviceBusy(retryAfter: UInt64?)
    /// Too many messages for all devices; seconds to wait.
    case quotaExceeded(retryAfter: UInt64)
    /// The provider fails; seconds to wait, if it tells them.
    case unavailable(String, retryAfter: UInt64?)
    /// The provider has not answered in time; it may have taken the message.
    case unanswered(String)
    /// Whoever answers at the provider's address is not trusted: its certificate is not.
    case untrusted(String)
    /// It was not sent: the provider is sent nothing for so many seconds.
    case paused(String, seconds: UInt64)
    /// The provider fails, and its documentation asks for a quarter of an hour before the next attempt.
    case outage(String)
    /// The connection has ended; the message can be sent again.
    case connectionEnded

    /// Whether the provider has refused the credential, and so nothing is known of the connection.
    var refusesCredential: Bool {
        switch self {
        case .credentialExpired, .credentialRefused: true
        default: false
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
