import Platform
import Testing
import Waiting

@Suite("Work until a deadline", .timeLimit(.minutes(5)))
struct RaceTests {
    private let clock = ManualClock()
    private let deadline = MonotonicTime(sinceStart: .seconds(1))

    @Test("The result counts if it comes before the deadline, and the deadline is canceled then")
    func inTime() async throws {
        let gate = FirstAnswer<Int>()
        async let result = clock.clock.race(until: deadline) { await gate.value() }
        try await clock.waitForSleepers(1)
        gate.give(8)
        #expect(await result == 8)
        try await eventually { clock.sleepers == 0 }
        #expect(await clock.clock.race(until: deadline) { 7 } == 7)
    }

    @Test("At the deadline there is no result, even of work that does not end when it is canceled")
    func late() async throws {
        let (never, wasCanceled) = (FirstAnswer<Int>(), FirstAnswer<Void>())
        async let result = clock.clock.race(until: deadline) {
            await withTaskCancellationHandler {
                await never.value()
            } onCancel: {
                wasCanceled.give(())
            }
        }
        try await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(999))
        #expect(clock.sleepers == 1)
        clock.advance(by: .milliseconds(1))
        #expect(await result == nil)
        await wasCanceled.value()
        never.give(1)
    }

    @Test("Work is not begun after the deadline, nor by whoever is canceled already")
    func notBegun() async {
        let count = Guarded(0)
        let work: @Sendable () async -> Int = {
            count.withLock { count in
                count += 1
                return count
            }
        }
        clock.advance(by: .milliseconds(999))
        #expect(await clock.clock.race(until: deadline, work) == 1)
        let canceled = Task { [clock, deadline] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await clock.clock.race(until: deadline, work)
        }
        #expect(await canceled.value == nil)
        clock.advance(by: .milliseconds(1))
        #expect(await clock.clock.race(until: deadline, work) == nil)
        #expect(count.withLock { $0 } == 1)
    }

    @Test("By the system's clock, too, a deadline ends work that never does")
    func system() async {
        let never = FirstAnswer<Int>()
        #expect(await MonotonicClock.system.race(until: .now + .milliseconds(5)) { await never.value() } == nil)
        #expect(await MonotonicClock.system.race(until: .now + .seconds(3600)) { 9 } == 9)
        never.give(1)
    }

    @Test("Whoever is canceled waits no longer, and what it waits for is canceled")
    func canceled() async throws {
        let (never, wasCanceled) = (FirstAnswer<Int>(), FirstAnswer<Void>())
        let racer = Task { [clock, deadline] in
            await clock.clock.race(until: deadline) {
                await withTaskCancellationHandler {
                    await never.value()
                } onCancel: {
                    wasCanceled.give(())
                }
            }
        }
        try await clock.waitForSleepers(1)
        racer.cancel()
        #expect(await racer.value == nil)
        await wasCanceled.value()
        try await eventually { clock.sleepers == 0 }
        never.give(1)
    }
}
