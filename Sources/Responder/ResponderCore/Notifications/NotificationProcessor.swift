package import LightningCoding
import LightningCrypto
package import Platform
package import ResponderModel

/// Handles a notification completely: has it answered, posts the reply, and records both.
package struct NotificationProcessor: Sendable {
    package let responder: NotificationResponder
    package let sender: ReplySender
    /// Records them, and keeps accepted ones until they are handled.
    package let ledger: any EventLedger
    private let clock: MonotonicClock

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
    ///   - recipient: who answers for it; nil if that has to be looked up.
    ///   - deadline: when everything must have ended. The answer gets three quarters of the time, which leaves the rest
    ///     for posting it, even if it is an error.
    ///   - accepted: the outbox entry of the accepted notification, to remove with the record; nil when there is none.
    package func process(
        _ notification: ReceivedNotification, for account: AccountID, by recipient: (any PayResponder)? = nil,
        until deadline: MonotonicTime, finishing accepted: OutboxID? = nil
    ) async -> NotificationResult {
        let left = max(deadline - clock.now(), .zero)
        var handled = await responder.handle(
            notification, for: account, by: recipient,
            until: MonotonicTime(sinceStart: deadline.sinceStart - left / 4))
        guard let reply = handled.reply, let replyURL = notification.replyURL else {
            return await recorded(handled, finishing: accepted, until: deadline)
        }
        let report = await sender.deliver(reply, to: replyURL, within: deadline - clock.now())
        handled.delivery = report
        handled.record.delivery = report.outcome.recorded
        handled.record.steps.append(EventRecord.Step("delivery", milliseconds: report.milliseconds))
        return await recorded(handled, finishing: accepted, until: deadline)
    }

    /// Answers a notification whose reply is in the webhook response, and records it.
    package func answer(
        _ notification: ReceivedNotification, for account: AccountID, by recipient: any PayResponder,
        until deadline: MonotonicTime
    ) async -> NotificationResult {
        var handled = await responder.handle(notification, for: account, by: recipient, until: deadline)
        if handled.reply != nil { handled.record.delivery = .inResponse }
        return await recorded(handled, until: deadline)
    }

    /// How soon a record that failed is tried again.
    private static let retry = Duration.milliseconds(500)

    /// While an accepted notification is not recorded as handled it would be handled again, and another reply posted, until
    /// its deadline: so the record is tried for longer.
    private func recorded(
        _ handled: NotificationResult, finishing accepted: OutboxID? = nil,
        until deadline: MonotonicTime
    ) async -> NotificationResult {
        var handled = handled
        while true {
            do throws(LedgerFault) {
                if let accepted {
                    try await ledger.record(handled.record, finishing: accepted)
                } else {
                    try await ledger.record(handled.record)
                }
                return handled
            } catch {
                let now = clock.now()
                guard accepted != nil, now < deadline + .seconds(1), (try? await clock.sleep(now + Self.retry)) != nil
                else {
                    handled.recordFault = error
                    return handled
                }
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
/// Receives the payload and the app's own data, and must not block. Its task is canceled at the deadline, when nobody waits any
/// longer.
package typealias NotificationHandler =
    @Sendable (
        _ notification: ReceivedNotification, _ account: AccountID, _ deadline: MonotonicTime
    ) async -> NotificationAnswer

/// A notification that was accepted, to be answered.
package struct NotificationJob: OutboxJob {
    package let id: OutboxID
    let recipient: AccountID
    package let payload: [UInt8]

    /// Its id has 128 random bits.
    init(_ body: [UInt8], for account: AccountID, random: RandomSource = SystemRandom.bytes) throws(CryptoFault) {
        id = OutboxID(unchecked: "notification-" + Hexadecimal.encode(try random(16)))
        recipient = account
        payload = body
    }

    package init?(_ work: OutboxWork) {
        guard let account = work.account else { return nil }
        (id, recipient, payload) = (work.id, account, work.payload)
    }

    package static let kind = OutboxKind.notification
    package var account: AccountID? { recipient }
}

/// Notifications from their acceptance to the record of their result. Each is kept in the outbox meanwhile, so that none
/// is lost in a crash; whoever carries out the outbox resumes what an earlier process had accepted.
package struct AcceptedNotifications: OutboxHandler {
    package typealias Report = @Sendable (NotificationResult) -> Void

    package let reader: NotificationReader
    package let processor: NotificationProcessor
    package let queue: NotificationQueue
    /// The instance that accepts them, and handles what it has accepted.
    private let instance: InstanceID
    /// How long a notification is valid, from its arrival.
    private let time: Duration
    private let clock: MonotonicClock
    private let wallClock: WallClock
    private let resumed: Report

    /// At once, or every second while the queue is full, until their deadline. A claim is longer than the longest deadline.
    package let policy = OutboxPolicy(
        concurrency: 1_024, lease: 180, schedule: RetrySchedule(pauses: [UInt64](repeating: 1, count: 1_000)))

    /// - Parameters:
    ///   - resumed: receives the results of those that an earlier process had accepted.
    package init(
        reader: NotificationReader, processor: NotificationProcessor, queue: NotificationQueue, instance: InstanceID,
        time: Duration, clock: MonotonicClock, wallClock: @escaping WallClock,
        resumed: @escaping Report
    ) {
        self.reader = reader
        self.processor = processor
        self.queue = queue
        self.instance = instance
        self.time = time
        self.clock = clock
        self.wallClock = wallClock
        self.resumed = resumed
    }

    package var deadline: MonotonicTime { clock.now() + time }

    /// Seconds after its deadline within which the process handling a notification still records the result.
    private static let grace: UInt64 = 5

    /// Accepts a notification: it is durable on return, and work on it begins then.
    package func accept(
        _ notification: ReceivedNotification, _ body: [UInt8], for account: AccountID, by recipient: any PayResponder,
        until deadline: MonotonicTime, report: @escaping Report
    ) async throws(NotificationRefusal) {
        let job = try rethrowing(
            NotificationJob(body, for: account),
            as: NotificationRefusal.ledger(.storage("the system has no random bytes")))
        let isKept = FirstAnswer<Bool>()
        // Reserve the place first, so that a refused notification leaves nothing behind.
        try queue.accept(for: account, bytes: body.count) {
            guard await isKept.value() else { return }
            report(
                await processor.process(
                    notification, for: account, by: recipient, until: deadline, finishing: job.id))
        }
        let now = wallClock()
        let expiry = now.adding(seconds: UInt64(max(1, time.components.seconds)))
        let work = OutboxWork(job, at: now, dueAt: expiry.adding(seconds: Self.grace), deadline: expiry)
        do {
            try await processor.ledger.add(work, heldBy: instance.text)
            isKept.give(true)
        } catch {
            isKept.give(false)
            throw .ledger(error)
        }
    }

    /// Answers a notification in its turn, for a reply in the response; nothing is kept if the process ends.
    package func answer(
        _ notification: ReceivedNotification, bytes: Int, for account: AccountID, by recipient: any PayResponder,
        until deadline: MonotonicTime
    ) async throws(NotificationRefusal) -> NotificationResult {
        let processed = FirstAnswer<NotificationResult>()
        try queue.accept(for: account, bytes: bytes) {
            processed.give(await processor.answer(notification, for: account, by: recipient, until: deadline))
        }
        return await processed.value()
    }

    /// Resumes a notification that an earlier process had accepted.
    package func carryOut(_ job: NotificationJob, _ work: OutboxWork) async -> OutboxOutcome {
        let left = (work.deadline ?? work.createdAt).seconds(since: wallClock())
        guard let notification = try? reader.read(job.payload) else {
            return await record(work, of: job, type: "unreadable", envelope: "unreadable", .failed)
        }
        guard left > 0 else {
            return await record(
                work, of: job, type: notification.type.rawValue, envelope: notification.envelope.rawValue, .outOfTime)
        }
        let deadline = clock.now() + min(.seconds(Int64(clamping: left)), time)
        let isDone = FirstAnswer<Void>()
        do {
            try queue.accept(for: job.recipient, bytes: job.payload.count) {
                resumed(
                    await processor.process(notification, for: job.recipient, until: deadline, finishing: job.id))
                isDone.give(())
            }
        } catch {
            return .failed("too many notifications are waiting")
        }
        await isDone.value()
        return .recorded
    }

    private func record(
        _ work: OutboxWork, of job: NotificationJob, type: String, envelope: String, _ outcome: EventRecord.Outcome
    ) async -> OutboxOutcome {
        let event = EventRecord(
            receivedAt: work.createdAt, account: job.recipient, type: type, envelope: envelope,
            payload: String(decoding: job.payload, as: UTF8.self), outcome: outcome)
        if outcome == .outOfTime {
            resumed(
                NotificationResult(
                    NotificationAnswer(.none(.outOfTime), outcome: outcome), to: NotificationType(rawValue: type),
                    record: event))
        }
        do {
            try await processor.ledger.record(event, finishing: job.id)
            return .recorded
        } catch {
            return .failed("the ledger is not writable")
        }
    }
}
