/// A provider of push messages, as it is named in metrics and logs.
public enum PushProviderName: String, CaseIterable, Sendable {
    /// Apple Push Notification service.
    case apns
    /// Firebase Cloud Messaging.
    case fcm
    /// Push services of browsers and UnifiedPush.
    case webPush = "web-push"
}

/// What a sender tells while it works.
public enum PushReport: Hashable, Sendable {
    /// A provider has answered, or has not.
    case answered(PushProviderName, PushPriority, PushVerdict, Duration)
    /// A message has ended.
    case ended(PushProviderName, PushPriority, PushOutcome)
    /// The operator must correct something.
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
    public var label: String {
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
