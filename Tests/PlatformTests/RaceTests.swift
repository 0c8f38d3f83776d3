import Platform
import Testing
import Waiting

@Suite("Work until a deadline", .timeLimit(.minutes(5)))
struct RaceTests {
    private let clock = ManualClock()
    private let deadline = MonotonicTime(sinceStart: .seconds(1))

    @Test("The result counts if it comes before the deadline, and the deadline is canceled then")
    func inTime() async {
        #expect(await clock.clock.race(until: deadline) { 7 } == 7)
        let gate = FirstAnswer<Int>()
        async let result = clock.clock.race(until: deadline) { await gate.value() }
        try? await clock.waitForSleepers(1)
        gate.give(8)
        #expect(await result == 8)
        try? await eventually { clock.sleepers == 0 }
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

    @Test("By the system's clock, too, a deadline ends work that never does")
    func system() async {
        let never = FirstAnswer<Int>()
        #expect(await MonotonicClock.system.race(until: .now) { await never.value() } == nil)
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
