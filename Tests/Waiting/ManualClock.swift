package import Platform

/// A clock that is advanced by hand.
package final class ManualClock: Sendable {
    private struct Sleeper {
        let until: MonotonicTime
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = MonotonicTime(sinceStart: .zero)
        var number = 0
        var sleepers: [Int: Sleeper] = [:]
    }

    private let state = Guarded(State())

    /// Creates a clock that stands still.
    package init() {}

    /// The present moment.
    package var now: MonotonicTime { state.withLock { $0.now } }

    /// The clock.
    package var clock: MonotonicClock {
        MonotonicClock(now: { self.now }, sleep: { try await self.sleep(until: $0) })
    }

    /// Advances the clock, and wakes everyone whose time has come.
    package func advance(by duration: Duration) {
        let woken: [Sleeper] = state.withLock { state in
            state.now = state.now + duration
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return Array(due.values)
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// The number of sleepers.
    package var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Returns once there are that many sleepers.
    package func waitForSleepers(_ count: Int) async throws {
        try await eventually { sleepers >= count }
    }

    private func sleep(until moment: MonotonicTime) async throws {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isDue: Bool = state.withLock { state in
                    if moment <= state.now { return true }
                    state.sleepers[number] = Sleeper(until: moment, continuation: continuation)
                    return false
                }
                if isDue { continuation.resume() }
                // A cancellation before the sleeper was registered had no effect.
                if Task.isCancelled { wake(number) }
            }
        } onCancel: {
            wake(number)
        }
    }

    private func wake(_ number: Int) {
        let sleeper: Sleeper? = state.withLock { $0.sleepers.removeValue(forKey: number) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
