/// A rate: a burst, and one more after each interval.
package struct RateLimit: Hashable, Sendable {
    /// How many at once, after a pause; at least 1.
    package let burst: Int
    /// How long until one more is allowed; positive.
    package let interval: Duration

    package static let maximumBurst = 1_000_000

    /// `nil` when the burst is not 1 to ``maximumBurst`` or the interval not 1 nanosecond to 1 day.
    package init?(burst: Int, interval: Duration) {
        guard (1...Self.maximumBurst).contains(burst), interval >= .nanoseconds(1), interval <= .seconds(86_400) else {
            return nil
        }
        self.burst = burst
        self.interval = interval
    }

    /// The part of each of so many that share it; at least one at once, and one a day.
    package func divided(by count: Int) -> RateLimit {
        let count = max(1, min(count, burst))
        return RateLimit(burst: burst / count, interval: min(interval * count, .seconds(86_400))) ?? self
    }

    /// So many times as much, up to ``maximumBurst`` at once.
    package func multiplied(by count: Int) -> RateLimit {
        RateLimit(burst: min(burst * count, Self.maximumBurst), interval: interval / count) ?? self
    }

    /// This many per minute, all at once or evenly spread. `nil` when the count is not 1 to ``maximumBurst``.
    package init?(perMinute count: Int) {
        guard count >= 1 else { return nil }
        self.init(burst: count, interval: .seconds(60) / count)
    }
}
