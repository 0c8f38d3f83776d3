/// One bucket per key, in bounded memory.
///
/// Keys are kept in two generations: when the younger is full, it becomes the older, and the previous older one is
/// dropped. So a key is kept until at least `capacity / 2` others have come after its last use, and each decision takes
/// constant time.
package struct RateLimiter<Key: Hashable & Sendable>: Sendable {
    private let limit: RateLimit
    private let generationCount: Int
    private var younger: [Key: TokenBucket] = [:]
    private var older: [Key: TokenBucket] = [:]

    /// Creates a limiter; all buckets are full.
    ///
    /// - Parameter capacity: the maximum number of keys; at least 2.
    package init(_ limit: RateLimit, capacity: Int = 65_536) {
        self.limit = limit
        generationCount = max(1, capacity / 2)
    }

    /// Takes a token of a key.
    ///
    /// - Parameter count: among how many limiters the limit is divided.
    /// - Returns: `nil` when there was one; otherwise how long until there is one, and nothing is taken.
    package mutating func take(
        _ key: Key, at now: MonotonicTime, dividedBy count: Int = 1
    ) -> Duration? {
        if younger[key] == nil, younger.count >= generationCount {
            older = younger
            younger = [:]
        }
        return younger[key, default: older[key] ?? TokenBucket(at: now)].take(part(count), at: now)
    }

    /// How long until there is a token of a key; `nil` when there is one. Nothing is taken.
    ///
    /// - Parameters:
    ///   - key: whose.
    ///   - now: the present moment.
    ///   - count: as when tokens are taken.
    package func wait(for key: Key, at now: MonotonicTime, dividedBy count: Int = 1) -> Duration? {
        (younger[key] ?? older[key])?.wait(part(count), at: now)
    }

    /// Returns a recently taken token of a key.
    ///
    /// - Parameter count: as when it was taken.
    package mutating func putBack(_ key: Key, dividedBy count: Int = 1) {
        let part = part(count)
        younger[key]?.putBack(part)
    }

    private func part(_ count: Int) -> RateLimit { count > 1 ? limit.divided(by: count) : limit }

    /// How many buckets it keeps; a key may have one of each generation.
    package var count: Int { younger.count + older.count }
}

extension Duration {
    /// Whole seconds, rounded up, for `Retry-After` (RFC 9110 §10.2.3); at least 1.
    package var retryAfterSeconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(clamping: max(1, attoseconds > 0 ? seconds + 1 : seconds))
    }
}
