/// How often something may happen: so many times at once, and one more time after each interval.
public struct RateLimit: Hashable, Sendable {
    /// How many times at once, after a time of silence; at least 1.
    public let burst: Int
    /// After how long one more time is allowed; positive.
    public let interval: Duration

    /// The greatest burst.
    public static let maximumBurst = 1_000_000

    /// `nil` when the burst is not 1 to ``maximumBurst`` or the interval not 1 nanosecond to 1 day.
    public init?(burst: Int, interval: Duration) {
        guard (1...Self.maximumBurst).contains(burst), interval >= .nanoseconds(1), interval <= .seconds(86_400) else {
            return nil
        }
        self.burst = burst
        self.interval = interval
    }

    /// So many times in a minute: all of them at once, or evenly. `nil` when the count is not 1 to ``maximumBurst``.
    public init?(perMinute count: Int) {
        guard count >= 1 else { return nil }
        self.init(burst: count, interval: .seconds(60) / count)
    }
}
