import Platform
import ResponderModel
import Testing
import Waiting
@testable import ResponderCore

@Suite("The notification queue", .timeLimit(.minutes(5)))
struct NotificationQueueTests {
    @Test("Once it is to finish, nothing more is accepted, and accepted work is done")
    func drains() async throws {
        let alice = try AccountID("alice@example.com")
        let events = Guarded<[NotificationQueue.Event]>([])
        let queue = NotificationQueue { event in events.withLock { $0.append(event) } }
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let isDone = Guarded(false)
        try queue.accept(for: alice, bytes: 1) {
            for await _ in gate {}
            isDone.withLock { $0 = true }
        }
        #expect(events.withLock { $0 } == [.held(1)])
        let finishing = Task { await queue.finish() }
        try await eventually { (try? queue.accept(for: alice, bytes: 1) {}) == nil }
        #expect(throws: NotificationRefusal.closed) { try queue.accept(for: alice, bytes: 1) {} }
        #expect(events.withLock { $0.last } == .refused)
        #expect(!isDone.withLock { $0 })
        opening.finish()
        await finishing.value
        #expect(isDone.withLock { $0 })
        #expect(events.withLock { $0.last } == .held(0))
    }

    @Test("Work that does not end delays no other account's")
    func sideBySide() async throws {
        let queue = NotificationQueue(
            limits: NotificationQueueLimits(atWork: 2, atWorkForAccount: 1, waiting: 10, bytes: 100))
        let (gate, opening) = AsyncStream<Void>.makeStream()
        for _ in 0..<3 { try queue.accept(for: AccountID("alice@example.com"), bytes: 1) { for await _ in gate {} } }
        let (done, doing) = AsyncStream<Void>.makeStream()
        try queue.accept(for: AccountID("bob@example.com"), bytes: 1) { doing.finish() }
        for await _ in done {}
        opening.finish()
    }

    @Test("Work that begins at once runs where its caller prefers to run, work that has waited on any thread")
    func places() async throws {
        let alice = try AccountID("alice@example.com")
        let (thread, queue) = (OneThread(), NotificationQueue(limits: NotificationQueueLimits(atWork: 1)))
        let (first, second, gate) = (FirstAnswer<[Bool]>(), FirstAnswer<[Bool]>(), FirstAnswer<Void>())
        let isAccepted = await thread.run {
            let begins: Void? = try? queue.accept(for: alice, bytes: 1) {
                first.give(await thread.places())
                await gate.value()
            }
            let waits: Void? = try? queue.accept(for: alice, bytes: 1) { second.give(await thread.places()) }
            return begins != nil && waits != nil
        }
        #expect(isAccepted)
        #expect(await first.value() == [true, false, true])
        gate.give(())
        #expect(await second.value() == [false, false, false])
    }
}
