/// How much of a ``RateLimit`` somebody has used up.
///
/// Tokens drip in, one each interval, until the burst is full; each time takes one. One instant holds it all: when the
/// bucket will be full again (the generic cell rate algorithm).
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

    /// Puts a token back that was taken; what is more than the burst runs over.
    public mutating func putBack(_ limit: RateLimit) {
        full -= limit.interval
    }

    /// Takes tokens, whether there are so many or not: for what has happened already.
    ///
    /// - Returns: how long until as many have come in as were taken too many; zero when there were enough.
    public mutating func spend(_ count: Int, of limit: RateLimit, at now: ContinuousClock.Instant) -> Duration {
        let missing = max(now.duration(to: full), .zero) + limit.interval * count
        full = now + missing
        return max(missing - limit.interval * limit.burst, .zero)
    }
}
