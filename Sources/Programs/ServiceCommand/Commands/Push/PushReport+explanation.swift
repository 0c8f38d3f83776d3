import Devices
import Platform

extension PushReport {
    /// The answer for people, and what to do about it; nil for what is no answer.
    var line: String? {
        switch self {
        case .answered(let provider, _, let verdict, let time):
            "\(provider.rawValue): \(verdict.label)\(verdict.detail.map { " (\($0))" } ?? "") after \(time.wholeMilliseconds) ms"
                + (verdict.explanation.map { ": \($0)" } ?? "")
        case .alarm, .ended, .queued, .replied, .silent: nil
        }
    }
}

extension PushVerdict {
    fileprivate var detail: String? {
        switch self {
        case .misconfigured(let reason), .foreign(let reason), .invalidRequest(let reason), .refused(let reason),
            .unauthorized(let reason), .credentialRefused(let reason, _), .unavailable(let reason, _),
            .paused(let reason, _), .outage(let reason), .unanswered(let reason), .untrusted(let reason):
            reason
        case .accepted, .badToken, .gone, .tooLarge, .credentialExpired, .credentialTooNew, .deviceBusy,
            .quotaExceeded, .connectionEnded:
            nil
        }
    }

    /// Why the provider refuses, and what the operator can do; nil when it does not.
    var explanation: String? {
        switch self {
        case .accepted: nil
        case .badToken:
            "this server does not know the token; that of a development build belongs to the sandbox (push.apns-environment)"
        case .gone: "the app was removed from the device, or has a newer token"
        case .misconfigured:
            "app and key do not belong together: compare push.apns-topic with the app's bundle id, the key's topics and "
                + "environment at Apple, the project of push.fcm-account-file with the app's, and the APNs key at Firebase"
        case .foreign: "the token was made for another Firebase project than that of push.fcm-account-file"
        case .invalidRequest: "this is a defect of this program; please report it"
        case .refused: "the push service takes no message for this subscription"
        case .unauthorized:
            "the push service does not accept this server's VAPID key for this subscription: it was perhaps made with another "
                + "key; otherwise compare this machine's clock"
        case .tooLarge: "this is a defect of this program, since the message is small; please report it"
        case .credentialExpired: "the provider calls the credential expired: compare this machine's clock"
        case .credentialRefused:
            "check that the key was not revoked, that push.apns-key-id and push.apns-team-id are its own, and that the "
                + "account of push.fcm-account-file may send messages"
        case .credentialTooNew: "another program makes tokens with the same key; give it a key of its own"
        case .deviceBusy: "the device was sent too many messages; it takes more after a while"
        case .paused(_, let seconds): "the provider is sent nothing for \(seconds) s"
        case .quotaExceeded: "the project has reached its limit of messages; Google Cloud shows it"
        case .unavailable, .outage, .unanswered: "the provider, or the way to it, fails at the moment"
        case .untrusted:
            "another server answers in the provider's place, or this machine's certificates are missing or too old"
        case .connectionEnded: "the provider has closed the connection; another one is tried"
        }
    }
}

extension PushOutcome {
    var isTemporary: Bool {
        switch self {
        case .later, .paused: true
        case .accepted, .gone, .parked, .refused, .tooLarge: false
        }
    }

    var sentence: String {
        switch self {
        case .accepted: "the provider accepted the message"
        case .gone: "the provider no longer knows the device; its token would be dropped"
        case .parked(let reason): "the message cannot be sent with this configuration: \(reason)"
        case .refused(let reason): "the message was refused: \(reason)"
        case .tooLarge: "the message is too large"
        case .later(let seconds, let reason), .paused(let seconds, let reason):
            "the provider may take it in \(seconds) s: \(reason)"
        }
    }
}
