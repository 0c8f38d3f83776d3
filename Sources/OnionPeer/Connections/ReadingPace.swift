import RateLimiting

/// Limits how fast a peer is read: every message counts, whatever happens to it, and beyond the limit reading pauses.
struct ReadingPace: Hashable, Sendable {
    private let limit: RateLimit?
    private let smallest: Int
    private var bucket: TokenBucket
    /// When reading resumes; nil when it is not paused.
    private(set) var pauseEnd: ContinuousClock.Instant?

    /// Starts with nothing read.
    init(_ limits: PeerLimits, at now: ContinuousClock.Instant) {
        limit = limits.reading
        smallest = limits.smallestMessage
        bucket = TokenBucket(at: now)
    }

    /// A message of this many bytes was read.
    ///
    /// - Returns: whether it starts a pause; a running pause grows longer.
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
