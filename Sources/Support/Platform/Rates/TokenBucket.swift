/// The used part of a ``RateLimit``.
///
/// One token is added per interval, until the burst is full; each use takes one. The state is a single instant: when
/// the bucket will be full again (the generic cell rate algorithm).
package struct TokenBucket: Hashable, Sendable {
    private var full: MonotonicTime

    package init(at now: MonotonicTime) {
        full = now
    }

    /// Takes a token.
    ///
    /// - Returns: `nil` when there was one; otherwise how long until there is one, and nothing is taken.
    package mutating func take(_ limit: RateLimit, at now: MonotonicTime) -> Duration? {
        if let wait = wait(limit, at: now) { return wait }
        full = max(full, now) + limit.interval
        return nil
    }

    /// How long until there is a token; `nil` when there is one. Nothing is taken.
    package func wait(_ limit: RateLimit, at now: MonotonicTime) -> Duration? {
        let surplus = max(full - now, .zero) + limit.interval - limit.interval * limit.burst
        return surplus > .zero ? surplus : nil
    }

    /// Returns a taken token; a full bucket stays full.
    package mutating func putBack(_ limit: RateLimit) {
        full = MonotonicTime(sinceStart: full.sinceStart - limit.interval)
    }

    /// Takes tokens even if there are too few: for what has already happened.
    ///
    /// - Returns: how long until the deficit is made up; zero when there were enough.
    package mutating func spend(_ count: Int, of limit: RateLimit, at now: MonotonicTime) -> Duration {
        let missing = max(full - now, .zero) + limit.interval * count
        full = now + missing
        return max(missing - limit.interval * limit.burst, .zero)
    }
}
