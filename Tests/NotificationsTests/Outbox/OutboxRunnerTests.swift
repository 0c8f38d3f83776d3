import Notifications
import LNURL
import LedgerContract
import LightningCoding
import LightningCrypto
import Platform
import Contracts
import SQLiteLedger
import TemporaryFolders
import Testing
import Waiting

@Suite("The runner of an outbox", .timeLimit(.minutes(2)))
struct OutboxRunnerTests {
    let folder = TemporaryFolder()
    let now = Guarded(Sample.start.adding(seconds: 1_000))
    let done = Guarded<[String]>([])

    private func ledger() async throws -> LedgerDatabase {
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        try await ledger.put("alice")
        return ledger
    }

    /// A runner with a stopped clock that does not poll.
    private func runner(
        on ledger: LedgerDatabase, concurrency: Int = 16, pauses: [UInt64] = [10, 100],
        report: @escaping @Sendable (OutboxAttempt) -> Void = { _ in },
        _ carryOut: @escaping @Sendable (OutboxWork) async -> OutboxOutcome
    ) -> OutboxRunner {
        OutboxRunner(
            .init(.notification, concurrency: concurrency, lease: 50, schedule: RetrySchedule(pauses: pauses)),
            of: ledger,
            clock: { [now] in now.withLock { $0 } }, sleep: { _ in try await Task.sleep(for: .seconds(3_600)) },
            random: { count throws(CryptoFault) in [UInt8](repeating: 0, count: count) },
            carryOut: carryOut, report: report)
    }

    private func pass(_ seconds: UInt64) { now.withLock { $0 = $0.adding(seconds: seconds) } }

    @Test("Due work is carried out in order and removed; other work waits")
    func order() async throws {
        let ledger = try await ledger()
        for number in [UInt64(3), 1, 2, 2_000] { try await ledger.add(Sample.work(number), heldBy: nil) }
        let runner = runner(on: ledger, concurrency: 1) { [done] work in
            done.withLock { $0.append(work.id.text) }
            return .carriedOut
        }
        let running = Task { await runner.run() }
        try await eventually { try await ledger.totals().pending == [.notification: 1] }
        #expect(done.withLock { $0 } == ["work-1", "work-2", "work-3"])
        pass(1_000)
        runner.wake()
        try await eventually { try await ledger.totals().pending.isEmpty }
        #expect(done.withLock { $0.last } == "work-2000")
        running.cancel()
        await running.value
    }

    @Test("Failed work is retried after each pause of the schedule, and then parked with its last reason")
    func failing() async throws {
        let ledger = try await ledger()
        try await ledger.add(Sample.work(1), heldBy: nil)
        let runner = runner(on: ledger) { .failed("no answer to attempt \($0.attempts)") }
        let running = Task { await runner.run() }
        func kept() async throws -> OutboxWork { try #require(try await ledger.work(Sample.work(1).id)) }
        let start = now.withLock { $0 }
        try await eventually { try await kept().failure == "no answer to attempt 1" }
        #expect(try await kept().state == .pending(dueAt: start.adding(seconds: 10)))
        pass(10)
        runner.wake()
        try await eventually { try await kept().failure == "no answer to attempt 2" }
        #expect(try await kept().state == .pending(dueAt: start.adding(seconds: 110)))
        pass(100)
        runner.wake()
        try await eventually { try await kept().isParked }
        #expect(try await kept().state == .parked(at: start.adding(seconds: 110)))
        #expect(try await kept().failure == "no answer to attempt 3")
        running.cancel()
        await running.value
    }

    @Test("Refused work is parked at once; work no longer needed is removed")
    func refused() async throws {
        let ledger = try await ledger()
        for number in UInt64(1)...2 { try await ledger.add(Sample.work(number), heldBy: nil) }
        let outcomes = Guarded<[OutboxOutcome]>([])
        let runner = runner(on: ledger, report: { attempt in outcomes.withLock { $0.append(attempt.outcome) } }) {
            work in
            work.id.text == "work-1" ? .refused("410") : .dropped("nobody")
        }
        let running = Task { await runner.run() }
        try await eventually { outcomes.withLock { $0.count } == 2 }
        #expect(try await ledger.work(Sample.work(1).id)?.isParked == true)
        #expect(try await ledger.work(Sample.work(2).id) == nil)
        running.cancel()
        await running.value
    }

    @Test("No more work runs at once than there are slots")
    func bounded() async throws {
        let ledger = try await ledger()
        for number in UInt64(1)...9 { try await ledger.add(Sample.work(number), heldBy: nil) }
        let counts = Guarded((now: 0, most: 0))
        let runner = runner(on: ledger, concurrency: 3) { _ in
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
            for _ in 0..<20 { await Task.yield() }
            counts.withLock { $0.now -= 1 }
            return .carriedOut
        }
        let running = Task { await runner.run() }
        try await eventually { try await ledger.totals().pending.isEmpty }
        #expect(counts.withLock { $0.most } <= 3)
        running.cancel()
        await running.value
    }

    @Test("Work unfinished when the process ended is carried out by the next one, at once after its start")
    func killed() async throws {
        var ledger = try await ledger()
        for number in UInt64(1)...3 { try await ledger.add(Sample.work(number), heldBy: nil) }
        let begun = Guarded(0)
        let first = runner(on: ledger) { _ in
            begun.withLock { $0 += 1 }
            try? await Task.sleep(for: .seconds(3_600))
            return .failed("interrupted")
        }
        let running = Task { await first.run() }
        try await eventually { begun.withLock { $0 } == 3 }
        running.cancel()
        await running.value
        await ledger.close()

        ledger = try await self.ledger()
        #expect(try await ledger.work(Sample.work(1).id)?.failure == nil)
        #expect(try await ledger.release(heldBy: OutboxRunner.Settings.service, at: now.withLock { $0 }) == 3)
        let second = runner(on: ledger) { [done] work in
            done.withLock { $0.append("\(work.id) \(work.attempts)") }
            return .carriedOut
        }
        let again = Task { [ledger] in
            _ = ledger
            await second.run()
        }
        try await eventually { [ledger] in try await ledger.totals().pending.isEmpty }
        #expect(done.withLock { $0.sorted() } == ["work-1 1", "work-2 1", "work-3 1"])
        again.cancel()
        await again.value
    }

    @Test("Work done but not yet recorded as done when the process ended is done again")
    func killedBetween() async throws {
        let ledger = try await ledger()
        try await ledger.add(Sample.work(1), heldBy: nil)
        // The receiver has it, but the process ends before recording that.
        let moment = now.withLock { $0 }
        let taken = try await ledger.claim(
            .notification, limit: 1, for: OutboxRunner.Settings.service, at: moment, until: moment.adding(seconds: 50))
        #expect(taken.work.count == 1)
        let runner = runner(on: ledger) { [done] work in
            done.withLock { $0.append(work.id.text) }
            return .carriedOut
        }
        let running = Task { await runner.run() }
        pass(50)
        runner.wake()
        try await eventually { try await ledger.totals().pending.isEmpty }
        #expect(done.withLock { $0 } == ["work-1"])
        running.cancel()
        await running.value
    }
}
