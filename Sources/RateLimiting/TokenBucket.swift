/// The used part of a ``RateLimit``.
///
/// One token is added per interval, until the burst is full; each use takes one. The state is a single instant: when
/// the bucket will be full again (the generic cell rate algorithm).
public struct TokenBucket: Hashable, Sendable {
    private var full: ContinuousClock.Instant

    /// A full bucket.
    public init(at now: ContinuousClock.Instant) {
        full = now
    }

    /// Takes a token.
    ///
    /// - Returns: `nil` when there was one; otherwise how long until there is one, and nothing is taken.
    public mutating func take(_ limit: RateLimit, at now: ContinuousClock.Instant) -> Duration? {
        let missing = max(now.duration(to: full), .zero) + limit.interval
        let surplus = missing - limit.interval * limit.burst
        guard surplus <= .zero else { return surplus }
        full = now + missing
        return nil
    }

    /// Returns a taken token; a full bucket stays full.
    public mutating func putBack(_ limit: RateLimit) {
        full -= limit.interval
    }

    /// Takes tokens even if there are too few: for what has already happened.
    ///
    /// - Returns: how long until the deficit is made up; zero when there were enough.
    public mutating func spend(_ count: Int, of limit: RateLimit, at now: ContinuousClock.Instant) -> Duration {
        let missing = max(now.duration(to: full), .zero) + limit.interval * count
        full = now + missing
        return max(missing - limit.interval * limit.burst, .zero)
    }
}
