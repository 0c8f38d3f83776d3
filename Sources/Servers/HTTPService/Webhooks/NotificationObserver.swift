import CoreMetrics
import Logging
import Platform
import ResponderCore
import ResponderModel

/// Counts notifications and their replies by result, and logs failures.
struct NotificationObserver: Sendable {
    private let notifications: [EventRecord.Outcome: Counter]
    private let replies: [EventRecord.Delivery: Counter]
    private let replyTime: Timer
    private let held: Meter
    private let notAccepted: Counter
    private let lines = RepeatedLines<String>()

    init(metrics: any MetricsFactory) {
        notifications = metrics.counters(
            "responder_notifications_total", by: "outcome", of: EventRecord.Outcome.allCases, \.rawValue)
        replies = metrics.counters(
            "responder_replies_total", by: "outcome", of: EventRecord.Delivery.allCases, \.rawValue)
        replyTime = Timer(label: "responder_reply_seconds", factory: metrics)
        held = Meter(label: "responder_notifications_held", factory: metrics)
        notAccepted = Counter(label: "responder_notifications_refused_total", factory: metrics)
    }

    /// - Parameter isRequest: whether the HTTP request is answered with the result, and logs failures itself.
    func note(_ processed: NotificationProcessor.Processed, _ logger: Logger, isRequest: Bool = false) {
        let record = processed.handled.record
        notifications[record.outcome]?.increment()
        if let delivery = record.delivery { replies[delivery]?.increment() }
        if let report = processed.delivery {
            replyTime.recordNanoseconds(Int64(clamping: report.milliseconds) &* 1_000_000)
        }
        let words: Logger.Metadata = ["account": "\(record.account)", "type": "\(record.type)"]
        if let cause = processed.handled.cause, !isRequest {
            note("notification failed", .error, words.merging(["cause": .string(cause)]) { $1 }, logger)
        }
        if let report = processed.delivery, report.outcome != .taken {
            let details: Logger.Metadata = ["outcome": "\(report.outcome.reason)", "attempts": "\(report.attempts)"]
            note("reply not accepted", .warning, words.merging(details) { $1 }, logger)
        }
        if let fault = processed.recordFault {
            note("notification not recorded", .error, words.merging(["cause": "\(fault.reason)"]) { $1 }, logger)
        }
    }

    private func note(_ message: Logger.Message, _ level: Logger.Level, _ words: Logger.Metadata, _ logger: Logger) {
        // Sorted, since equal dictionaries list their members in different orders.
        lines.note("\(message) \(words.sorted { $0.key < $1.key })") { times in
            logger.log(level: level, message, metadata: words.repeated(times))
        }
    }

    @Sendable func note(_ event: NotificationQueue.Event) {
        switch event {
        case .held(let count): held.set(Int64(count))
        case .refused: notAccepted.increment()
        }
    }
}
