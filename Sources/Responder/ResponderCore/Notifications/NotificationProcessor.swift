import LightningCoding
package import Platform
package import ResponderModel

/// Handles a notification completely: has it answered, posts the reply, and records both.
package struct NotificationProcessor: Sendable {
    package let responder: NotificationResponder
    package let sender: ReplySender
    /// Records them, and keeps accepted ones until they are handled.
    package let ledger: any EventLedger
    private let clock: MonotonicClock

    package struct Processed: Sendable {
        /// The answer; its record includes the delivery.
        package let handled: NotificationResult
        /// The delivery of the reply; nil when there was none to post.
        package let delivery: DeliveryReport?
        /// Why it is not recorded in the ledger; nil when it is.
        package let recordFault: LedgerFault?
    }

    package init(
        _ responder: NotificationResponder,
        sender: ReplySender,
        ledger: any EventLedger,
        clock: MonotonicClock = .system
    ) {
        self.responder = responder
        self.sender = sender
        self.ledger = ledger
        self.clock = clock
    }

    /// Answers a notification, posts the reply to its URL, and records both.
    ///
    /// - Parameters:
    ///   - deadline: when everything must have ended. The answer gets three quarters of the time, which leaves the rest
    ///     for posting it, even if it is an error.
    ///   - accepted: the outbox entry of the accepted notification, to remove with the record; nil when there is none.
    package func process(
        _ notification: ReceivedNotification, for account: AccountID, until deadline: MonotonicTime,
        finishing accepted: OutboxID? = nil
    ) async -> Processed {
        let left = max(deadline - clock.now(), .zero)
        var handled = await responder.handle(
            notification, for: account, until: MonotonicTime(sinceStart: deadline.sinceStart - left / 4))
        guard let reply = handled.reply, let replyURL = notification.replyURL else {
            return await recorded(handled, nil, finishing: accepted, until: deadline)
        }
        let report = await sender.deliver(
            reply, to: replyURL, within: deadline - clock.now())
        handled.record.delivery = report.outcome.recorded
        handled.record.steps.append(EventRecord.Step("delivery", milliseconds: report.milliseconds))
        return await recorded(handled, report, finishing: accepted, until: deadline)
    }

    /// Answers a notification whose reply is in the webhook response, and records it.
    package func answer(
        _ notification: ReceivedNotification, for account: AccountID, until deadline: MonotonicTime
    ) async -> Processed {
        var handled = await responder.handle(notification, for: account, until: deadline)
        if handled.reply != nil { handled.record.delivery = .inResponse }
        return await recorded(handled, nil, until: deadline)
    }

    /// How soon a record that failed is tried again.
    private static let retry = Duration.milliseconds(500)

    /// While an accepted notification is not recorded as handled it would be handled again, and another reply posted, until
    /// its deadline: so the record is tried for longer.
    private func recorded(
        _ handled: NotificationResult, _ report: DeliveryReport?, finishing accepted: OutboxID? = nil,
        until deadline: MonotonicTime
    ) async -> Processed {
        while true {
            do throws(LedgerFault) {
                if let accepted {
                    try await ledger.record(handled.record, finishing: accepted)
                } else {
                    try await ledger.record(handled.record)
                }
                return Processed(handled: handled, delivery: report, recordFault: nil)
            } catch {
                let now = clock.now()
                guard accepted != nil, now < deadline + .seconds(1), (try? await clock.sleep(now + Self.retry)) != nil
                else { return Processed(handled: handled, delivery: report, recordFault: error) }
            }
        }
    }
}

extension DeliveryOutcome {
    /// The outcome, as stored in the event log.
    var recorded: EventRecord.Delivery {
        switch self {
        case .taken: .taken
        case .uncertain: .uncertain
        case .forbidden: .forbidden
        case .refused, .unreachable, .outOfTime, .overloaded: .failed
        }
    }
}

/// Answers notifications of a custom type, or of another that allows it (``NotificationType/allowsHandler``).
///
/// Receives the payload and the app's own data. Its task is cancelled at the deadline, when nobody waits any longer.
package typealias NotificationHandler =
    @Sendable (
        _ notification: ReceivedNotification, _ account: AccountID, _ deadline: MonotonicTime
    ) async -> NotificationAnswer
