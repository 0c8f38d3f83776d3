import LNURL
import Logging
import Platform
import ResponderModel
import ServiceLifecycle
import Testing
import Waiting
@testable import HTTPService

@Suite("The notification queue", .timeLimit(.minutes(1)))
struct NotificationQueueTests {
    /// Reports when its service group is running.
    private struct StartNotifier: Service {
        let started: AsyncStream<Void>.Continuation

        func run() async throws {
            started.finish()
            try? await gracefulShutdown()
        }
    }

    @Test("On shutdown nothing more is accepted, and accepted work is finished")
    func drains() async throws {
        let alice = try AccountID("alice@example.com")
        let metrics = PrometheusMetrics()
        let queue = NotificationQueue(metrics: metrics)
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let isDone = Guarded(false)
        try queue.accept(for: alice, bytes: 1) {
            for await _ in gate {}
            isDone.withLock { $0 = true }
        }
        #expect(metrics.page().contains("responder_notifications_held 1"))
        let (start, started) = AsyncStream<Void>.makeStream()
        let group = ServiceGroup(services: [queue, StartNotifier(started: started)], logger: Logger(label: "test"))
        let running = Task { try await group.run() }
        for await _ in start {}
        await group.triggerGracefulShutdown()
        try await eventually { (try? queue.accept(for: alice, bytes: 1) {}) == nil }
        #expect(throws: NotificationQueueRefusal.closed) { try queue.accept(for: alice, bytes: 1) {} }
        #expect(!isDone.withLock { $0 })
        opening.finish()
        try await running.value
        #expect(isDone.withLock { $0 })
    }

    @Test("Work that does not end delays no other account's")
    func sideBySide() async throws {
        let queue = NotificationQueue(
            limits: NotificationQueueLimits(atWork: 2, atWorkForAccount: 1, waiting: 10, bytes: 100),
            metrics: PrometheusMetrics())
        let (gate, opening) = AsyncStream<Void>.makeStream()
        for _ in 0..<3 { try queue.accept(for: AccountID("alice@example.com"), bytes: 1) { for await _ in gate {} } }
        let (done, doing) = AsyncStream<Void>.makeStream()
        try queue.accept(for: AccountID("bob@example.com"), bytes: 1) { doing.finish() }
        for await _ in done {}
        opening.finish()
    }
}
