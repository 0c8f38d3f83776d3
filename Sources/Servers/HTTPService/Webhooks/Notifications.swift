package import CoreMetrics
package import LightningCoding
package import Logging
package import Platform
package import ResponderCore
package import ResponderModel
package import ServiceLifecycle

/// Accepts notifications, and answers them.
package struct Notifications: ServiceFeature {
    let accepted: AcceptedNotifications
    let secrets: WebhookSecrets
    let isOpen: Bool
    let observer: NotificationObserver

    /// - Parameters:
    ///   - processor: answers them, posts the replies and records both.
    ///   - secrets: derives the accounts' webhook secrets.
    ///   - isOpen: whether `/webhook/{account}` accepts unsigned ones.
    ///   - instance: accepts them, and handles what it has accepted.
    ///   - time: how long one is valid, from its arrival.
    ///   - queue: in whose turns they are answered; nil for one of its own.
    package init(
        _ processor: NotificationProcessor, reader: NotificationReader, secrets: WebhookSecrets, isOpen: Bool,
        instance: InstanceID, time: Duration, queue: NotificationQueue? = nil, clock: MonotonicClock = .system,
        wallClock: @escaping WallClock, metrics: any MetricsFactory, logger: Logger
    ) {
        self.secrets = secrets
        self.isOpen = isOpen
        let observer = NotificationObserver(metrics: metrics)
        self.observer = observer
        accepted = AcceptedNotifications(
            reader: reader, processor: processor, queue: queue ?? NotificationQueue(report: observer.note),
            instance: instance, time: time, clock: clock, wallClock: wallClock
        ) { observer.note($0, logger) }
    }

    package func addRoutes(to router: PublicRouter) {
        NotificationRoutes(self, router).add(to: router)
    }

    /// Finishes what was accepted.
    package var services: [any Service] { [ShutdownTask { [accepted] in await accepted.queue.finish() }] }

    package var outboxHandlers: [any OutboxHandler] { [accepted] }

    /// Each of those in progress may post a reply.
    package var descriptors: Int { accepted.queue.limits.atWork }
}

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
    func note(_ processed: NotificationResult, _ logger: Logger, isRequest: Bool = false) {
        let record = processed.record
        notifications[record.outcome]?.increment()
        if let delivery = record.delivery { replies[delivery]?.increment() }
        if let report = processed.delivery {
            replyTime.recordNanoseconds(Int64(clamping: report.milliseconds) &* 1_000_000)
        }
        let words: Logger.Metadata = ["account": "\(record.account)", "type": "\(record.type)"]
        if let cause = processed.cause, !isRequest {
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
