import Dispatch

/// Calls back at deadlines, nearly all of which are canceled first: one system timer serves all and is set again only
/// after it has fired. A sleeping task per deadline would cost more than the calls themselves.
final class DeadlineTimer: Sendable {
    static let shared = DeadlineTimer()

    private struct Deadline {
        let end: MonotonicTime
        let fire: @Sendable () -> Void
    }

    private struct State {
        var lastNumber: UInt64 = 0
        var deadlines: [UInt64: Deadline] = [:]
        /// When the timer fires next; nil while nothing is scheduled.
        var firesAt: MonotonicTime?
    }

    private let state = Guarded(State())

    /// Calls back at that moment or some milliseconds later, unless canceled before.
    ///
    /// - Returns: cancels the callback; does nothing when it has come.
    func schedule(at end: MonotonicTime, _ fire: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let now = MonotonicTime.now
        let number = state.withLock { state in
            state.lastNumber &+= 1
            state.deadlines[state.lastNumber] = Deadline(end: end, fire: fire)
            set(for: end, &state, at: now)
            return state.lastNumber
        }
        return { [self] in _ = state.withLock { $0.deadlines.removeValue(forKey: number) } }
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
