/// A moment on a clock that only goes forward. It means nothing outside of its process.
public struct MonotonicTime: Hashable, Comparable, Sendable {
    /// How long after the clock's own beginning.
    public let sinceStart: Duration

    /// A moment that long after the clock's own beginning.
    public init(sinceStart: Duration) {
        self.sinceStart = sinceStart
    }

    /// The earlier moment is less.
    public static func < (one: MonotonicTime, other: MonotonicTime) -> Bool { one.sinceStart < other.sinceStart }

    /// A moment that much later.
    public static func + (moment: MonotonicTime, duration: Duration) -> MonotonicTime {
        MonotonicTime(sinceStart: moment.sinceStart + duration)
    }

    /// How long one moment lies after another; negative when it lies before.
    public static func - (later: MonotonicTime, earlier: MonotonicTime) -> Duration {
        later.sinceStart - earlier.sinceStart
    }
}

/// Where deadlines and durations come from: the system's clock in a service, a clock that is moved by hand in a test.
public struct MonotonicClock: Sendable {
    /// The moment it is.
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

    /// The system's clock, which goes on while the machine sleeps.
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
