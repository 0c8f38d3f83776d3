/// A moment on a clock that only goes forward. Meaningless outside its process.
public struct MonotonicTime: Hashable, Comparable, Sendable {
    /// The time since the clock's start.
    public let sinceStart: Duration

    /// Creates a moment that long after the clock's start.
    public init(sinceStart: Duration) {
        self.sinceStart = sinceStart
    }

    /// Orders by time.
    public static func < (one: MonotonicTime, other: MonotonicTime) -> Bool { one.sinceStart < other.sinceStart }

    /// The moment that much later.
    public static func + (moment: MonotonicTime, duration: Duration) -> MonotonicTime {
        MonotonicTime(sinceStart: moment.sinceStart + duration)
    }

    /// The time from `earlier` to `later`; negative when they are in the opposite order.
    public static func - (later: MonotonicTime, earlier: MonotonicTime) -> Duration {
        later.sinceStart - earlier.sinceStart
    }
}

/// The source of deadlines and durations: the system's clock in a service, a manually advanced clock in tests.
public struct MonotonicClock: Sendable {
    /// The current moment.
    public let now: @Sendable () -> MonotonicTime
    /// Returns at that moment, or at once when it has passed; throws when the task is cancelled first.
    public let sleep: @Sendable (_ until: MonotonicTime) async throws -> Void

    /// Creates a clock.
    public init(
        now: @escaping @Sendable () -> MonotonicTime,
        sleep: @escaping @Sendable (_ until: MonotonicTime) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The system's clock, which continues while the machine sleeps.
    public static let system: MonotonicClock = {
        let start = ContinuousClock.now
        return MonotonicClock(
            now: { MonotonicTime(sinceStart: ContinuousClock.now - start) },
            sleep: { try await ContinuousClock().sleep(until: start + $0.sinceStart) }
        )
    }()
}

extension Duration {
    /// Whole nanoseconds, for metrics.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }

    /// Whole milliseconds, rounded down; 0 when it is negative.
    public var wholeMilliseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (milliseconds, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1000)
        return overflow ? .max : milliseconds + UInt64(attoseconds / 1_000_000_000_000_000)
    }
}
