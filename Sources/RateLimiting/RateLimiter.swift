/// One bucket for each key, in bounded memory.
///
/// Keys are kept in two generations: when the younger is full, it becomes the older, and what was in that one is forgotten.
/// So nobody is forgotten before `capacity / 2` others have come after the last question, and each decision takes constant time.
public struct RateLimiter<Key: Hashable & Sendable>: Sendable {
    private let limit: RateLimit
    private let generationCount: Int
    private var younger: [Key: TokenBucket] = [:]
    private var older: [Key: TokenBucket] = [:]

    /// Full buckets for everybody.
    ///
    /// - Parameter capacity: how many keys are remembered at most; at least 2.
    public init(_ limit: RateLimit, capacity: Int = 65_536) {
        self.limit = limit
        generationCount = max(1, capacity / 2)
    }

    /// Takes a token of a key.
    ///
    /// - Returns: `nil` when there was one; otherwise how long until there is one, and nothing is taken.
    public mutating func take(_ key: Key, at now: ContinuousClock.Instant) -> Duration? {
        if younger[key] == nil, younger.count >= generationCount {
            older = younger
            younger = [:]
        }
        return younger[key, default: older[key] ?? TokenBucket(at: now)].take(limit, at: now)
    }

    /// Puts a token of a key back that was taken not long ago.
    public mutating func putBack(_ key: Key) {
        younger[key]?.putBack(limit)
    }

    /// How many keys are remembered.
    public var count: Int { younger.count + older.keys.count { younger[$0] == nil } }
}

extension Duration {
    /// Whole seconds, rounded up, for `Retry-After` (RFC 9110 §10.2.3); at least 1.
    public var retryAfterSeconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(clamping: max(1, attoseconds > 0 ? seconds + 1 : seconds))
    }
}
