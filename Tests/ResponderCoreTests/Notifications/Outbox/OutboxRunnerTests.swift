import LedgerRecords
import LedgerContract
import LightningCoding
import LightningCrypto
import Platform
import ResponderCore
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
import Waiting

/// Carries out `Sample.work`.
private struct SampleHandler: OutboxHandler {
    struct Job: OutboxJob {
        static let kind = OutboxKind.notification
        let id: OutboxID
        let payload: [UInt8]

        init?(_ work: OutboxWork) {
            guard work.payloadJSON != nil else { return nil }
            (id, payload) = (work.id, work.payload)
        }
    }

    let policy: OutboxPolicy
    let attempt: @Sendable (OutboxWork) async -> OutboxOutcome

    func carryOut(_ job: Job, _ work: OutboxWork) async -> OutboxOutcome { await attempt(work) }
}

@Suite("The runner of an outbox", .timeLimit(.minutes(5)))
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
        on ledger: any Outbox, by holder: String = "one", concurrency: Int = 16, pauses: [UInt64] = [10, 100],
        report: @escaping @Sendable (OutboxAttempt) -> Void = { _ in },
        _ carryOut: @escaping @Sendable (OutboxWork) async -> OutboxOutcome
    ) -> OutboxRunner {
        OutboxRunner(
            SampleHandler(
                policy: OutboxPolicy(concurrency: concurrency, lease: 50, schedule: RetrySchedule(pauses: pauses)),
                attempt: carryOut),
            of: ledger, holder: holder,
            clock: { [now] in now.withLock { $0 } }, sleep: { _ in try await Task.sleep(for: .seconds(3_600)) },
            random: { count throws(CryptoFault) in [UInt8](repeating: 0, count: count) },
            report: report)
    }

    /// Runs until canceled.
    private func run(
        _ runner: OutboxRunner, on ledger: LedgerDatabase, under lease: Lease? = nil
    ) async throws -> Task<Void, Never> {
        let held = try await ledger.held(.outbox)
        let lease = lease ?? held
        return Task {
            _ = ledger
            await runner.run(under: lease)
        }
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
        let running = try await run(runner, on: ledger)
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
        let running = try await run(runner, on: ledger)
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

    @Test("Work whose last attempt was interrupted is parked, since it may have ended the service")
    func fatal() async throws {
        let ledger = try await ledger()
        try await ledger.add(Sample.work(1), heldBy: nil)
        let runner = runner(on: ledger) { [done] work in
            done.withLock { $0.append("\(work.attempts)") }
            return .carriedOut
        }
        let lease = try await ledger.held(.outbox)
        let now = now.withLock { $0 }
        for _ in 1...3 {
            _ = try await ledger.claim(
                .notification, limit: 1, for: "crashed", at: now, until: now.adding(seconds: 50), under: lease)
            try await ledger.freeClaims(of: .notification, for: "one", except: [], under: lease) { _ in now }
        }
        await runner.runOnce()
        let kept = try #require(try await ledger.work(Sample.work(1).id))
        #expect(kept.isParked && kept.failure == "its last attempt was interrupted")
        #expect(done.withLock { $0.isEmpty })
        #expect(try await ledger.retry(Sample.work(1).id, at: now))
        await runner.runOnce()
        #expect(done.withLock { $0 } == ["1"])
    }

    @Test("Work whose next step was not due yet has all its attempts left when it fails")
    func continued() async throws {
        let ledger = try await ledger()
        try await ledger.add(Sample.work(1), heldBy: nil)
        let moment = now.withLock { $0 }
        for _ in 0..<5 { await runner(on: ledger) { _ in .continued(at: moment) }.runOnce() }
        await runner(on: ledger) { .failed("no answer to attempt \($0.attempts)") }.runOnce()
        let kept = try #require(try await ledger.work(Sample.work(1).id))
        #expect(kept.state == .pending(dueAt: moment.adding(seconds: 10)))
        #expect(kept.failure == "no answer to attempt 1")
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
        let running = try await run(runner, on: ledger)
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
        let running = try await run(runner, on: ledger)
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
        let running = try await run(first, on: ledger)
        try await eventually { begun.withLock { $0 } == 3 }
        running.cancel()
        await running.value
        await ledger.close()

        ledger = try await self.ledger()
        #expect(try await ledger.work(Sample.work(1).id)?.failure == nil)
        try await ledger.unregister(#require(InstanceID("one")))
        let second = runner(on: ledger) { [done] work in
            done.withLock { $0.append("\(work.id) \(work.attempts)") }
            return .carriedOut
        }
        let again = try await run(second, on: ledger)
        try await eventually { [ledger] in try await ledger.totals().pending.isEmpty }
        #expect(done.withLock { $0.sorted() } == ["work-1 1", "work-2 1", "work-3 1"])
        again.cancel()
        await again.value
    }

    @Test("A runner ends when its lease is lost, and claims nothing any more")
    func lost() async throws {
        let ledger = try await ledger()
        let lease = try await ledger.held(.outbox)
        let runner = runner(on: ledger) { _ in .carriedOut }
        try await ledger.release(lease)
        try await ledger.add(Sample.work(1), heldBy: nil)
        await runner.run(under: lease)
        #expect(try await ledger.work(Sample.work(1).id)?.attempts == 0)
        // It can begin again.
        let running = try await run(runner, on: ledger)
        try await eventually { try await ledger.totals().pending.isEmpty }
        running.cancel()
        await running.value
    }

    @Test("Eleven crashes within minutes park nothing: the next attempt follows on the schedule's pause")
    func crashes() async throws {
        let ledger = try await ledger()
        for number in UInt64(1)...3 { try await ledger.add(Sample.work(number), heldBy: nil) }
        for number in 1...11 {
            let looked = Guarded(0)
            let runner = runner(on: ledger, by: "crashing \(number)", pauses: RetrySchedule.day.pauses) { _ in
                looked.withLock { $0 += 1 }
                try? await Task.sleep(for: .seconds(3_600))
                return .failed("interrupted")
            }
            let running = try await run(runner, on: ledger)
            // Claims are freed before the first look.
            try await eventually {
                try await ledger.outbox(OutboxQuery()).elements.allSatisfy {
                    $0.holder == nil || $0.holder == "crashing \(number)"
                }
            }
            if number == 1 { try await eventually { looked.withLock { $0 } == 3 } }
            running.cancel()
            await running.value
            pass(1)
        }
        let kept = try await ledger.outbox(OutboxQuery()).elements
        #expect(kept.allSatisfy { !$0.isParked && $0.attempts <= 3 })
        let after = runner(on: ledger, by: "after", pauses: RetrySchedule.day.pauses) { _ in .carriedOut }
        pass(200)
        let running = try await run(after, on: ledger)
        pass(200)
        after.wake()
        try await eventually {
            after.wake()
            return try await ledger.totals().pending.isEmpty
        }
        #expect(try await ledger.totals().parked.isEmpty)
        running.cancel()
        await running.value
    }

    @Test(
        "Interrupted work with a deadline follows after a tenth of the time that is left, where that is sooner",
        arguments: [(at: 40, pause: 6), (99, 2), (100, 10), (110, 10)])
    func interruptedWithDeadline(at second: UInt64, pause: UInt64) async throws {
        let ledger = try await ledger()
        now.withLock { $0 = Sample.start.adding(seconds: second) }
        let start = now.withLock { $0 }
        try await ledger.add(Sample.work(1), heldBy: nil)
        _ = try await ledger.claim(
            .notification, limit: 1, for: "crashed", at: start, until: start.adding(seconds: 50),
            under: ledger.held(.outbox))
        let running = try await run(runner(on: ledger, pauses: [10, 100]) { _ in .carriedOut }, on: ledger)
        try await eventually {
            try await ledger.work(Sample.work(1).id)?.state == .pending(dueAt: start.adding(seconds: pause))
        }
        running.cancel()
        await running.value
    }

    @Test("Whoever takes the lease over carries out after a pause what an instance that hangs had claimed")
    func takenOver() async throws {
        let ledger = try await ledger()
        try await ledger.add(Sample.work(1), heldBy: nil)
        let begun = Guarded(0)
        let hanging = runner(on: ledger) { _ in
            begun.withLock { $0 += 1 }
            try? await Task.sleep(for: .seconds(3_600))
            return .failed("interrupted")
        }
        let first = try await run(hanging, on: ledger)
        try await eventually { begun.withLock { $0 } == 1 }
        try await ledger.release(ledger.held(.outbox))
        let second = runner(on: ledger, by: "two") { [done] work in
            done.withLock { $0.append("\(work.id) \(work.attempts)") }
            return .carriedOut
        }
        let running = try await run(second, on: ledger)
        let due = now.withLock { $0 }.adding(seconds: 10)
        try await eventually { try await ledger.work(Sample.work(1).id)?.state == .pending(dueAt: due) }
        #expect(done.withLock { $0.isEmpty })
        pass(10)
        try await eventually {
            second.wake()
            return try await ledger.totals().pending.isEmpty
        }
        #expect(done.withLock { $0 } == ["work-1 2"])
        for task in [first, running] {
            task.cancel()
            await task.value
        }
    }

    @Test("Work of a claim that was not confirmed is carried out at the next look, and what is in hand stays in hand")
    func unconfirmed() async throws {
        let ledger = try await ledger()
        let stumbling = StumblingLedger(base: ledger)
        try await ledger.add(Sample.work(1), heldBy: nil)
        let isFinishing = FirstAnswer<Void>()
        let runner = runner(on: stumbling) { [done] work in
            done.withLock { $0.append("\(work.id) \(work.attempts)") }
            if work.id.text == "work-1" { await isFinishing.value() }
            return .carriedOut
        }
        let running = try await run(runner, on: ledger)
        try await eventually { done.withLock { $0.count } == 1 }
        stumbling.unconfirmedClaims.withLock { $0 = 1 }
        try await ledger.add(Sample.work(2), heldBy: nil)
        runner.wake()
        try await eventually { try await ledger.work(Sample.work(2).id)?.attempts == 1 }
        #expect(done.withLock { $0 } == ["work-1 1"])
        // The clock stands still: the claim has not run out.
        try await eventually {
            runner.wake()
            return done.withLock { $0.count } == 2
        }
        #expect(done.withLock { $0 } == ["work-1 1", "work-2 1"])
        isFinishing.give(())
        try await eventually { try await ledger.totals().pending.isEmpty }
        running.cancel()
        await running.value
    }

    @Test("Work done but not yet recorded as done when the process ended is done again")
    func killedBetween() async throws {
        let ledger = try await ledger()
        try await ledger.add(Sample.work(1), heldBy: nil)
        // The receiver has it, but the process ends before recording that.
        let moment = now.withLock { $0 }
        let taken = try await ledger.claim(
            .notification, limit: 1, for: "one", at: moment, until: moment.adding(seconds: 50))
        #expect(taken.work.count == 1)
        let runner = runner(on: ledger) { [done] work in
            done.withLock { $0.append(work.id.text) }
            return .carriedOut
        }
        let running = try await run(runner, on: ledger)
        pass(50)
        runner.wake()
        try await eventually { try await ledger.totals().pending.isEmpty }
        #expect(done.withLock { $0 } == ["work-1"])
        running.cancel()
        await running.value
    }
}
