import LNURL
import LightningCoding
import LightningCrypto
import Logging
import Platform
import ResponderCore
import ResponderModel

/// A notification that was accepted, to be answered.
struct NotificationJob: OutboxJob {
    let id: OutboxID
    let recipient: AccountID
    /// Its body as received.
    let payload: [UInt8]

    /// Its id has 128 random bits.
    init(_ body: [UInt8], for account: AccountID, random: RandomSource = SystemRandom.bytes) throws(CryptoFault) {
        id = OutboxID(unchecked: "notification-" + Hexadecimal.encode(try random(16)))
        recipient = account
        payload = body
    }

    init?(_ work: OutboxWork) {
        guard let account = work.account else { return nil }
        (id, recipient, payload) = (work.id, account, work.payload)
    }

    static let kind = OutboxKind.notification
    var account: AccountID? { recipient }
}

/// Resumes notifications that an earlier process had accepted.
struct NotificationJobHandler: OutboxHandler {
    let notifications: AcceptedNotifications
    let logger: Logger

    /// At once, or every second while the queue is full, until their deadline. A claim is longer than the longest deadline.
    let policy = OutboxPolicy(
        concurrency: 1_024, lease: 180, schedule: RetrySchedule(pauses: [UInt64](repeating: 1, count: 1_000)))

    func carryOut(_ job: NotificationJob, _ work: OutboxWork) async -> OutboxOutcome {
        await notifications.takeUp(job, work, logger)
    }
}

/// Notifications between acceptance and the record of their result. Each is kept in the outbox meanwhile, so that none
/// is lost in a crash.
struct AcceptedNotifications: Sendable {
    let intake: NotificationIntake
    let queue: NotificationQueue
    let observer: NotificationObserver

    /// Seconds after its deadline within which the process handling a notification still records the result.
    private static let grace: UInt64 = 5

    /// Accepts a notification: it is durable on return, and work on it begins then.
    func accept(
        _ notification: ReceivedNotification, _ body: [UInt8], for account: AccountID, until deadline: MonotonicTime,
        _ logger: Logger
    ) async throws(WebhookRefusal) {
        let job = try rethrowing(
            NotificationJob(body, for: account), as: WebhookRefusal.ledger(.storage("the system has no random bytes")))
        let isKept = FirstAnswer<Bool>()
        do {
            // Reserve the place first, so that a refused notification leaves nothing behind.
            try queue.accept(for: account, bytes: body.count) {
                guard await isKept.value() else { return }
                await process(notification, job, until: deadline, logger)
            }
        } catch {
            throw .busy(notification.type, error)
        }
        do {
            try await intake.processor.ledger.add(entry(job), heldBy: intake.instance.text)
            isKept.give(true)
        } catch {
            isKept.give(false)
            throw .ledger(error)
        }
    }

    /// Answers a notification in its turn, for a reply in the response; nothing is kept if the process ends.
    func answer(
        _ notification: ReceivedNotification, bytes: Int, for account: AccountID, until deadline: MonotonicTime
    ) async throws(WebhookRefusal) -> NotificationProcessor.Processed {
        let processed = FirstAnswer<NotificationProcessor.Processed>()
        do {
            try queue.accept(for: account, bytes: bytes) {
                processed.give(await intake.processor.answer(notification, for: account, until: deadline))
            }
        } catch {
            throw .busy(notification.type, error)
        }
        return await processed.value()
    }

    /// Resumes a notification that an earlier process had accepted.
    func takeUp(_ job: NotificationJob, _ work: OutboxWork, _ logger: Logger) async -> OutboxOutcome {
        let left = (work.deadline ?? work.createdAt).seconds(since: intake.wallClock())
        guard let notification = try? intake.reader.read(job.payload) else {
            return await record(work, of: job, type: "unreadable", envelope: "unreadable", .failed)
        }
        guard left > 0 else {
            observer.noteExpired()
            return await record(
                work, of: job, type: notification.type.rawValue, envelope: notification.envelope.rawValue, .outOfTime)
        }
        let deadline = intake.clock.now() + min(.seconds(Int64(clamping: left)), intake.time)
        let isDone = FirstAnswer<Void>()
        do {
            try queue.accept(for: job.recipient, bytes: job.payload.count) {
                await process(notification, job, until: deadline, logger)
                isDone.give(())
            }
        } catch {
            return .failed("too many notifications are waiting")
        }
        await isDone.value()
        return .recorded
    }

    private func process(
        _ notification: ReceivedNotification, _ job: NotificationJob, until deadline: MonotonicTime, _ logger: Logger
    ) async {
        let processed = await intake.processor.process(
            notification, for: job.recipient, until: deadline, finishing: job.id)
        observer.note(processed, logger)
    }

    private func entry(_ job: NotificationJob) -> OutboxWork {
        let now = intake.wallClock()
        let deadline = now.adding(seconds: UInt64(max(1, intake.time.components.seconds)))
        return OutboxWork(job, at: now, dueAt: deadline.adding(seconds: Self.grace), deadline: deadline)
    }

    private func record(
        _ work: OutboxWork, of job: NotificationJob, type: String, envelope: String, _ outcome: EventRecord.Outcome
    ) async -> OutboxOutcome {
        let event = EventRecord(
            receivedAt: work.createdAt, account: job.recipient, type: type, envelope: envelope,
            payload: String(decoding: job.payload, as: UTF8.self), outcome: outcome)
        do {
            try await intake.processor.ledger.record(event, finishing: job.id)
            return .recorded
        } catch {
            return .failed("the ledger is not writable")
        }
    }
}
