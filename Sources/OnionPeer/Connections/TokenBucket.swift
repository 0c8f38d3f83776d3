/// A rate limit: so many at once, and so many a second. Time is told to it, as what has passed since any fixed moment.
struct TokenBucket: Hashable, Sendable {
    private let capacity: Double
    private let rate: Double
    private var tokens: Double
    private var updated: Duration

    /// A full bucket.
    init(burst: Int, rate: Double, at now: Duration) {
        capacity = Double(burst)
        self.rate = rate
        tokens = capacity
        updated = now
    }

    /// Takes a token, when there is one.
    mutating func take(at now: Duration) -> Bool {
        refill(at: now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// When there will be a token, if none is taken before; now when there is one.
    func nextToken(after now: Duration) -> Duration {
        var later = self
        later.refill(at: now)
        guard later.tokens < 1, rate > 0 else { return now }
        // A nanosecond more, so that rounding never makes the moment come too early.
        return now + .seconds((1 - later.tokens) / rate) + .nanoseconds(1)
    }

    private mutating func refill(at now: Duration) {
        guard now > updated else { return }
        tokens = min(capacity, tokens + (now - updated) / .seconds(1) * rate)
        updated = now
    }
}
