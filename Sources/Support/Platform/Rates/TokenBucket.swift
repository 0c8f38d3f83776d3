/// The used part of a ``RateLimit``.
///
/// One token is added per interval, until the burst is full; each use takes one. The state is a single instant: when
/// the bucket will be full again (the generic cell rate algorithm).
package struct TokenBucket: Hashable, Sendable {
    private var full: ContinuousClock.Instant

    package init(at now: ContinuousClock.Instant) {
        full = now
    }

    /// Takes a token.
    ///
    /// - Returns: `nil` when there was one; otherwise how long until there is one, and nothing is taken.
    package mutating func take(_ limit: RateLimit, at now: ContinuousClock.Instant) -> Duration? {
        if let wait = wait(limit, at: now) { return wait }
        full = max(full, now) + limit.interval
        return nil
    }

    /// How long until there is a token; `nil` when there is one. Nothing is taken.
    package func wait(_ limit: RateLimit, at now: ContinuousClock.Instant) -> Duration? {
        let surplus = max(now.duration(to: full), .zero) + limit.interval - limit.interval * limit.burst
        return surplus > .zero ? surplus : nil
    }

    /// Returns a taken token; a full bucket stays full.
    package mutating func putBack(_ limit: RateLimit) {
        full -= limit.interval
    }

    /// Takes tokens even if there are too few: for what has already happened.
    ///
    /// - Returns: how long until the deficit is made up; zero when there were enough.
    package mutating func spend(_ count: Int, of limit: RateLimit, at now: ContinuousClock.Instant) -> Duration {
        let missing = max(now.duration(to: full), .zero) + limit.interval * count
        full = now + missing
        return max(missing - limit.interval * limit.burst, .zero)
    }
}
