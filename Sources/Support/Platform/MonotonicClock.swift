/// A moment on a clock that only goes forward. Meaningless outside its process.
package struct MonotonicTime: Hashable, Comparable, Sendable {
    /// The time since the clock's start.
    package let sinceStart: Duration

    /// Creates a moment that long after the clock's start.
    package init(sinceStart: Duration) {
        self.sinceStart = sinceStart
    }

    /// The present moment by the system's clock.
    package static var now: MonotonicTime { MonotonicClock.system.now() }

    package static func < (one: MonotonicTime, other: MonotonicTime) -> Bool { one.sinceStart < other.sinceStart }

    package static func + (moment: MonotonicTime, duration: Duration) -> MonotonicTime {
        MonotonicTime(sinceStart: moment.sinceStart + duration)
    }

    /// The time from `earlier` to `later`; negative when they are in the opposite order.
    package static func - (later: MonotonicTime, earlier: MonotonicTime) -> Duration {
        later.sinceStart - earlier.sinceStart
    }
}

/// The source of deadlines and durations: the system's clock in a service, a manually advanced clock in tests.
package struct MonotonicClock: Sendable {
    package let now: @Sendable () -> MonotonicTime
    /// Returns at that moment, or at once when it has passed; throws when the task is canceled first.
    package let sleep: @Sendable (_ until: MonotonicTime) async throws -> Void
    /// For the deadlines of the system's clock.
    private let timer: DeadlineTimer?

    package init(
        now: @escaping @Sendable () -> MonotonicTime,
        sleep: @escaping @Sendable (_ until: MonotonicTime) async throws -> Void
    ) {
        self.init(now: now, sleep: sleep, timer: nil)
    }

    private init(
        now: @escaping @Sendable () -> MonotonicTime,
        sleep: @escaping @Sendable (_ until: MonotonicTime) async throws -> Void,
        timer: DeadlineTimer?
    ) {
        self.now = now
        self.sleep = sleep
        self.timer = timer
    }

    /// The system's clock, which continues while the machine sleeps.
    package static let system: MonotonicClock = {
        let start = ContinuousClock.now
        return MonotonicClock(
            now: { MonotonicTime(sinceStart: ContinuousClock.now - start) },
            sleep: { try await ContinuousClock().sleep(until: start + $0.sinceStart) },
            timer: .shared
        )
    }()

    /// Calls back at that moment or some milliseconds later, unless canceled before. What it calls must not block.
    ///
    /// - Returns: cancels the callback; does nothing when it has come.
    package func schedule(
        at moment: MonotonicTime, _ fire: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        if let timer { return timer.schedule(at: moment, fire) }
        let task = Task {
            guard (try? await sleep(moment)) != nil else { return }
            fire()
        }
        return { task.cancel() }
    }
}

extension Duration {
    /// Whole nanoseconds, for metrics.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }

    /// Whole milliseconds, rounded down; 0 when it is negative.
    package var wholeMilliseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (milliseconds, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1000)
        return overflow ? .max : milliseconds + UInt64(attoseconds / 1_000_000_000_000_000)
    }
}

/// How long one answer may wait for a server, over all the calls that it takes: whoever asked is told of a server that is
/// silent after that time, once. Found through a task-local value, so that it need not be passed along.
package final class WaitingTime: Sendable {
    /// The time of the answer that this task works on; nil when each call has its own time only.
    @TaskLocal package static var current: WaitingTime?

    private let time: Guarded<Duration>

    package init(_ time: Duration) {
        self.time = Guarded(time)
    }

    /// What is left of it; never negative.
    package var left: Duration { max(time.withLock { $0 }, .zero) }

    /// Takes away the time of a call.
    package func spend(_ duration: Duration) {
        time.withLock { $0 -= duration }
    }
}
