package import ResponderModel
package import CoreMetrics
package import LightningCoding
package import Logging
import Platform

package struct PushSender: Sendable {
    private let apns: APNsProvider?
    private let fcm: FCMProvider?
    private let webPush: WebPushProvider?

    package init(apns: APNsProvider?, fcm: FCMProvider?, webPush: WebPushProvider?) {
        self.apns = apns
        self.fcm = fcm
        self.webPush = webPush
    }

    /// The public key of this server that apps need for a subscription of Web Push; nil without one.
    package var vapidKey: String? { webPush?.publicKey }

    /// The target of a token in a webhook's URL; nil when no provider takes it.
    ///
    /// A token of an iOS app is one of APNs when it is hexadecimal, else one of FCM, which passes messages on to APNs.
    package func target(_ platform: PushPlatform, token: String) -> PushAddress? {
        switch platform {
        case .ios:
            if apns != nil, let token = APNsToken(token) { return .apns(token, nil) }
            return fcm != nil && PushAddress.isFCMToken(token) ? .fcm(token: token, .ios) : nil
        case .android: return fcm != nil && PushAddress.isFCMToken(token) ? .fcm(token: token, .android) : nil
        case .web: return webPush.flatMap { _ in try? .webPush(PushSubscription(token: token)) }
        }
    }

    package func reaches(_ platform: PushPlatform) -> Bool {
        switch platform {
        case .ios: apns != nil || fcm != nil
        case .android: fcm != nil
        case .web: webPush != nil
        }
    }

    /// Sends a message if it fits.
    ///
    /// - Parameters:
    ///   - message: the message; what does not fit is left out, see ``PushContent/fitted(_:)``.
    ///   - target: the device.
    ///   - registeredAt: when the device was registered; nil when nobody knows.
    package func send(
        _ message: PushMessage, to target: PushAddress, registeredAt: UnixTime? = nil
    ) async -> PushOutcome {
        guard let message = message.fitted(for: target) else { return .tooLarge }
        switch target {
        case .apns(let token, let environment):
            return await apns?.send(message, to: token, environment, registeredAt: registeredAt)
                ?? .refused("APNs is not configured")
        case .fcm(let token, let platform):
            return await fcm?.send(message, to: token, platform) ?? .refused("FCM is not configured")
        case .webPush(let subscription):
            return await webPush?.send(message, to: subscription, registeredAt: registeredAt)
                ?? .refused("Web Push is not configured")
        }
    }
}

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
    /// A device has replied, so long after it was asked.
    case replied(after: Duration)
    /// A device has not replied in time.
    case silent
}

/// Counts and times push messages, and tells the operator what only they can correct: one line for each cause a minute. No
/// line holds a token or what a message says.
package struct PushObserver: Sendable {
    private let metrics: any MetricsFactory
    private let logger: Logger
    private let lines = RepeatedLines<String>()

    package init(metrics: any MetricsFactory, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
    }

    package func note(_ report: PushReport) {
        switch report {
        case .answered(let provider, _, let verdict, let duration):
            Counter(
                label: "responder_push_answers_total",
                dimensions: [("provider", provider.rawValue), ("answer", verdict.label)], factory: metrics
            ).increment()
            Timer(
                label: "responder_push_seconds", dimensions: [("provider", provider.rawValue)], factory: metrics
            ).recordNanoseconds(duration.wholeNanoseconds)
        case .ended(let provider, let priority, let outcome):
            Counter(
                label: "responder_push_messages_total",
                dimensions: [
                    ("provider", provider.rawValue), ("priority", priority.label), ("outcome", outcome.label),
                ], factory: metrics
            ).increment()
        case .queued: Counter(label: "responder_push_queued_total", factory: metrics).increment()
        case .replied(let duration):
            Timer(label: "responder_push_reply_seconds", factory: metrics).recordNanoseconds(duration.wholeNanoseconds)
        case .silent: Counter(label: "responder_push_replies_missing_total", factory: metrics).increment()
        case .alarm(let provider, let alarm):
            Counter(
                label: "responder_push_alarms_total", dimensions: [("provider", provider.rawValue)], factory: metrics
            ).increment()
            lines.note(alarm.reason) { [logger] times in
                var metadata: Logger.Metadata = [
                    "provider": "\(provider.rawValue)", "cause": .string(alarm.reason),
                ]
                if times > 1 { metadata["times"] = "\(times)" }
                logger.error("push messages fail", metadata: metadata)
            }
        }
    }
}

extension PushOutcome {
    fileprivate var label: String {
        switch self {
        case .accepted: "accepted"
        case .gone: "gone"
        case .parked: "parked"
        case .refused: "refused"
        case .tooLarge: "too-large"
        case .later, .paused: "later"
        }
    }
}

extension PushPriority {
    fileprivate var label: String {
        switch self {
        case .reply: "reply"
        case .alert: "alert"
        case .catchUp: "catch-up"
        }
    }
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
        case .withdrawn: "withdrawn"
        case .connectionEnded: "connection-ended"
        }
    }
}
