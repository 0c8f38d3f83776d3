import LNURL
import LightningCoding
import LightningCrypto
import Logging
import Platform
import ResponderCore
import ResponderModel

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
        let id = try rethrowing(
            OutboxID.notification(random: SystemRandom.bytes),
            as: WebhookRefusal.ledger(.storage("the system has no random bytes")))
        let isKept = FirstAnswer<Bool>()
        do {
            // Reserve the place first, so that a refused notification leaves nothing behind.
            try queue.accept(for: account, bytes: body.count) {
                guard await isKept.value() else { return }
                await process(notification, id, for: account, until: deadline, logger)
            }
        } catch {
            throw .busy(notification.type, error)
        }
        do {
            try await intake.processor.ledger.add(entry(id, body, for: account), heldBy: intake.instance.text)
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
    func takeUp(_ work: OutboxWork, _ logger: Logger) async -> OutboxOutcome {
        guard let account = work.account else { return .refused("the entry cannot be read") }
        let left = (work.deadline ?? work.createdAt).seconds(since: intake.wallClock())
        guard let notification = try? intake.reader.read(work.payload) else {
            return await record(work, of: account, type: "unreadable", envelope: "unreadable", .failed)
        }
        guard left > 0 else {
            observer.noteExpired()
            return await record(
                work, of: account, type: notification.type.rawValue, envelope: notification.envelope.rawValue,
                .outOfTime
            )
        }
        let deadline = intake.clock.now() + min(.seconds(Int64(clamping: left)), intake.time)
        let isDone = FirstAnswer<Void>()
        do {
            try queue.accept(for: account, bytes: work.payload.count) {
                await process(notification, work.id, for: account, until: deadline, logger)
                isDone.give(())
            }
        } catch {
            return .failed("too many notifications are waiting")
        }
        await isDone.value()
        return .recorded
    }

    private func process(
        _ notification: ReceivedNotification, _ id: OutboxID, for account: AccountID, until deadline: MonotonicTime,
        _ logger: Logger
    ) async {
        let processed = await intake.processor.process(
            notification, for: account, until: deadline, finishing: id)
        observer.note(processed, logger)
    }

    private func entry(_ id: OutboxID, _ body: [UInt8], for account: AccountID) -> OutboxWork {
        let now = intake.wallClock()
        let deadline = now.adding(seconds: UInt64(max(1, intake.time.components.seconds)))
        return OutboxWork(
            id: id, kind: .notification, account: account, payload: body, createdAt: now, deadline: deadline,
            state: .pending(dueAt: deadline.adding(seconds: Self.grace)))
    }

    private func record(
        _ work: OutboxWork, of account: AccountID, type: String, envelope: String, _ outcome: EventRecord.Outcome
    ) async -> OutboxOutcome {
        let event = EventRecord(
            receivedAt: work.createdAt, account: account, type: type, envelope: envelope,
            payload: String(decoding: work.payload, as: UTF8.self), outcome: outcome)
        do {
            try await intake.processor.ledger.record(event, finishing: work.id)
            return .recorded
        } catch {
            return .failed("the ledger is not writable")
        }
    }
}
