public import LNURL
public import Contracts
public import ResponderCore
import LightningCoding

/// Does everything about a notification: has it answered, posts the reply, and writes down what became of both.
public struct NotificationProcessor: Sendable {
    /// Answers.
    public let responder: NotificationResponder
    /// Posts the replies.
    public let sender: ReplySender
    private let ledger: any Ledger
    private let clock: MonotonicClock

    /// What was done about a notification.
    public struct Processed: Sendable {
        /// What was answered; its record says what became of the reply.
        public let handled: NotificationResult
        /// What became of the reply; nil when there was none to post.
        public let delivery: DeliveryReport?
        /// Why there is no record of it in the ledger; nil when there is.
        public let recordFault: LedgerFault?
    }

    /// Creates a processor.
    public init(
        _ responder: NotificationResponder,
        sender: ReplySender,
        ledger: any Ledger,
        clock: MonotonicClock = .system
    ) {
        self.responder = responder
        self.sender = sender
        self.ledger = ledger
        self.clock = clock
    }

    /// Answers a notification, posts the reply where it says, and writes it down.
    ///
    /// - Parameters:
    ///   - deadline: when all of it is over. The answer gets three quarters of the time until then, so that even the reply that
    ///     there is none finds the time to be posted.
    ///   - accepted: the entry of the outbox that ends with it; nil when there is none.
    public func process(
        _ notification: ReceivedNotification, for account: AddressName, until deadline: MonotonicTime,
        finishing accepted: AcceptedNotification? = nil
    ) async -> Processed {
        let left = max(deadline - clock.now(), .zero)
        var handled = await responder.handle(
            notification, for: account, until: MonotonicTime(sinceStart: deadline.sinceStart - left / 4))
        guard let reply = handled.reply, let replyURL = notification.replyURL else {
            return await recorded(handled, nil, finishing: accepted)
        }
        let report = await sender.deliver(
            reply, to: replyURL, deadline: .now + max(deadline - clock.now(), .zero))
        handled.record.delivery = report.outcome.recorded
        handled.record.steps.append(EventRecord.Step("delivery", milliseconds: report.milliseconds))
        return await recorded(handled, report, finishing: accepted)
    }

    /// Answers a notification whose reply stands in the response to it, and writes it down.
    public func answer(
        _ notification: ReceivedNotification, for account: AddressName, until deadline: MonotonicTime
    ) async -> Processed {
        var handled = await responder.handle(notification, for: account, until: deadline)
        if handled.reply != nil { handled.record.delivery = .inResponse }
        return await recorded(handled, nil)
    }

    private func recorded(
        _ handled: NotificationResult, _ report: DeliveryReport?, finishing accepted: AcceptedNotification? = nil
    ) async -> Processed {
        do {
            if let accepted {
                try await accepted.outbox.record(handled.record, finishing: accepted.id)
            } else {
                try await ledger.record(handled.record)
            }
            return Processed(handled: handled, delivery: report, recordFault: nil)
        } catch {
            return Processed(handled: handled, delivery: report, recordFault: error)
        }
    }
}

/// A notification that was accepted, and is kept in an outbox until it is written down as handled.
public struct AcceptedNotification: Sendable {
    /// Its entry.
    public let id: OutboxID
    /// Where it is kept.
    public let outbox: any Outbox

    /// Names an entry.
    public init(_ id: OutboxID, in outbox: any Outbox) {
        self.id = id
        self.outbox = outbox
    }
}

extension DeliveryOutcome {
    /// The same, as the event log has it.
    var recorded: EventRecord.Delivery {
        switch self {
        case .taken: .taken
        case .uncertain: .uncertain
        case .forbidden: .forbidden
        case .refused, .unreachable, .outOfTime, .overloaded: .failed
        }
    }
}
