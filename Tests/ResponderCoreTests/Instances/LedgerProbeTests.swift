import Platform
import ResponderModel
import Testing
import Waiting
@testable import ResponderCore

@Suite("The ledger's write probe", .timeLimit(.minutes(5)))
struct LedgerProbeTests {
    private let time = Guarded(MonotonicTime(sinceStart: .zero))
    private let writes = Guarded(0)

    private func advance(_ duration: Duration) { time.withLock { $0 = $0 + duration } }

    /// A clock controlled by the test; pending sleeps end when canceled.
    private var clock: MonotonicClock {
        MonotonicClock(
            now: { [time] in time.withLock { $0 } },
            sleep: { [time] moment in
                guard time.withLock({ $0 }) < moment else { return }
                try await Task.sleep(for: .seconds(3_600))
            })
    }

    @Test("At most one write is made per second, however many requests arrive", arguments: [nil, LedgerFault.full])
    func rate(fault: LedgerFault?) async {
        let probe = LedgerProbe(clock: clock) { [writes] () throws(LedgerFault) in
            writes.withLock { $0 += 1 }
            if let fault { throw fault }
        }
        let expected: LedgerProbe.State = fault.map { .fails($0) } ?? .works
        await withTaskGroup(of: LedgerProbe.State.self) { group in
            for _ in 0..<100 { group.addTask { await probe.state() } }
            for await state in group { #expect(state == expected) }
        }
        #expect(writes.withLock { $0 } == 1)
        advance(.milliseconds(999))
        _ = await probe.state()
        #expect(writes.withLock { $0 } == 1)
        advance(.milliseconds(1))
        _ = await probe.state()
        #expect(writes.withLock { $0 } == 2)
    }

    @Test("A slow write is reported after two seconds, is not repeated meanwhile, and counts once it is done")
    func deadline() async throws {
        let gate = FirstAnswer<Void>()
        let sleeps = Guarded<[MonotonicTime]>([])
        let sleeping = MonotonicClock(now: clock.now) { moment in sleeps.withLock { $0.append(moment) } }
        let probe = LedgerProbe(clock: sleeping) { [writes] in
            writes.withLock { $0 += 1 }
            await gate.value()
        }
        for _ in 0..<3 { #expect(await probe.state() == .hangs) }
        try await eventually { writes.withLock { $0 } == 1 }
        let deadline = MonotonicTime(sinceStart: .seconds(2))
        #expect(sleeps.withLock { $0 } == [deadline, deadline, deadline])
        // From then on nobody waits for it.
        advance(.seconds(2))
        #expect(await probe.state() == .hangs)
        #expect(sleeps.withLock { $0.count } == 3)
        gate.give(())
        try await eventually { await probe.state() != .hangs }
        #expect(await probe.state() == .works)
        #expect(writes.withLock { $0 } == 1)
    }
}
