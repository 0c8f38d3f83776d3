package import CoreMetrics
import LightningCoding
package import Logging
import Platform

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
