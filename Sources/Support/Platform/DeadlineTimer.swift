import Dispatch

/// Calls back at deadlines, nearly all of which are canceled first: one system timer serves all and is set again only
/// after it has fired. A sleeping task per deadline would cost more than the calls themselves.
package final class DeadlineTimer: Sendable {
    package static let shared = DeadlineTimer()

    package typealias Number = UInt64

    private struct Deadline {
        let end: MonotonicTime
        let fire: @Sendable () -> Void
    }

    private struct State {
        var lastNumber: Number = 0
        var deadlines: [Number: Deadline] = [:]
        /// When the timer fires next; nil while nothing is scheduled.
        var firesAt: MonotonicTime?
    }

    private let state = Guarded(State())

    /// Calls back at that moment or some milliseconds later, unless canceled before.
    package func schedule(at end: MonotonicTime, _ fire: @escaping @Sendable () -> Void) -> Number {
        let now = MonotonicTime.now
        return state.withLock { state in
            state.lastNumber &+= 1
            state.deadlines[state.lastNumber] = Deadline(end: end, fire: fire)
            set(for: end, &state, at: now)
            return state.lastNumber
        }
    }

    /// Cancels a deadline; does nothing when it has passed.
    package func cancel(_ number: Number) {
        _ = state.withLock { $0.deadlines.removeValue(forKey: number) }
    }

    private func set(for end: MonotonicTime, _ state: inout State, at now: MonotonicTime) {
        if let next = state.firesAt, next <= end { return }
        state.firesAt = end
        let nanoseconds = Int(clamping: max((end - now).wholeNanoseconds, 0))
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [self] in passed(end) }
    }

    /// Deadlines that come within this time after a firing are called back together, since each firing looks at all.
    private static let pause = Duration.milliseconds(10)

    /// - Parameter end: for when the system's timer was set. One that comes before it, by the deadlines' clock, is set again.
    private func passed(_ end: MonotonicTime) {
        let now = MonotonicTime.now
        let due: [Deadline] = state.withLock { state in
            // One that was set later, for an earlier time, has taken its place.
            guard state.firesAt == end else { return [] }
            state.firesAt = nil
            let numbers = state.deadlines.filter { $0.value.end <= now }.keys
            let due = numbers.compactMap { state.deadlines.removeValue(forKey: $0) }
            if let next = state.deadlines.values.map(\.end).min() {
                set(for: max(next, now + Self.pause), &state, at: now)
            }
            return due
        }
        for deadline in due { deadline.fire() }
    }
}
