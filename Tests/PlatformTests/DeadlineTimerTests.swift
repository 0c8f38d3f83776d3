@testable import Platform
import Testing

/// Uses the system's clock: nothing here depends on how late a callback is.
@Suite("One timer for many deadlines", .timeLimit(.minutes(5)))
struct DeadlineTimerTests {
    private let timer = DeadlineTimer()

    private func time(until time: Duration) -> FirstAnswer<Duration> {
        let (start, passed) = (MonotonicTime.now, FirstAnswer<Duration>())
        _ = timer.schedule(at: start + time) { passed.give(MonotonicTime.now - start) }
        return passed
    }

    @Test("Each deadline calls back, whichever was scheduled first, and not too early")
    func order() async {
        let times: [Duration] = [.milliseconds(40), .zero, .milliseconds(10), .milliseconds(20)]
        let calls = times.map(time(until:))
        for (time, call) in zip(times, calls) { #expect(await call.value() >= time) }
        // The timer starts again after it was idle.
        #expect(await time(until: .milliseconds(1)).value() >= .milliseconds(1))
    }

    @Test("A canceled deadline does not call back, and the next one does")
    func canceled() async {
        let isCalled = Guarded(false)
        let cancel = timer.schedule(at: .now + .seconds(1)) { isCalled.withLock { $0 = true } }
        let later = time(until: .milliseconds(1_100))
        cancel()
        cancel()
        #expect(await later.value() >= .milliseconds(1_100))
        #expect(isCalled.withLock { $0 } == false)
    }

    @Test("Of 2,000 deadlines that come one after the other each calls back")
    func many() async {
        let calls = (0..<2_000).map { time(until: .microseconds(50 * $0)) }
        for (index, call) in calls.enumerated() { #expect(await call.value() >= .microseconds(50 * index)) }
    }
}
