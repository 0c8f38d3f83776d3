import RateLimiting

/// How fast a peer is read: every message counts, whatever becomes of it, and after too many nothing is read for a while.
struct ReadingPace: Hashable, Sendable {
    private let limit: RateLimit?
    private let smallest: Int
    private var bucket: TokenBucket
    /// When reading goes on; nil while nothing keeps it.
    private(set) var pauseEnd: ContinuousClock.Instant?

    /// Nothing has been read.
    init(_ limits: PeerLimits, at now: ContinuousClock.Instant) {
        limit = limits.reading
        smallest = limits.smallestMessage
        bucket = TokenBucket(at: now)
    }

    /// A message of so many bytes has been read.
    ///
    /// - Returns: whether a pause begins with it; one that has begun grows longer.
    mutating func take(_ count: Int, at now: ContinuousClock.Instant) -> Bool {
        guard let limit else { return false }
        let wait = bucket.spend(max(count, smallest), of: limit, at: now)
        guard wait > .zero else { return false }
        defer { pauseEnd = now + wait }
        return pauseEnd == nil
    }

    /// Whether a pause ends now.
    mutating func resume(at now: ContinuousClock.Instant) -> Bool {
        guard let moment = pauseEnd, now >= moment else { return false }
        pauseEnd = nil
        return true
    }
}
