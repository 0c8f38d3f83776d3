import RateLimiting

/// Messages that leave no faster than the other side takes them: at once while the limit allows it, then one after the other;
/// what does not fit into the queue is shed.
struct PacedQueue: Hashable, Sendable {
    private let pace: RateLimit?
    private let capacity: Int
    private var bucket: TokenBucket
    private var waiting: [[UInt8]] = []

    /// An empty queue.
    init(_ limits: PeerLimits, at now: ContinuousClock.Instant) {
        pace = limits.departures
        capacity = limits.departureQueue
        bucket = TokenBucket(at: now)
    }

    /// How many wait.
    var count: Int { waiting.count }

    /// Puts a message at the end. False when there is no room for it.
    mutating func append(_ message: [UInt8]) -> Bool {
        guard waiting.count < capacity else { return false }
        waiting.append(message)
        return true
    }

    /// Takes what may leave now.
    mutating func due(at now: ContinuousClock.Instant) -> [[UInt8]] {
        var due: [[UInt8]] = []
        while due.count < waiting.count, bucket.take(pace, at: now) == nil { due.append(waiting[due.count]) }
        waiting.removeFirst(due.count)
        return due
    }

    /// When the next message may leave; nil when none waits.
    func deadline(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard !waiting.isEmpty else { return nil }
        var later = bucket
        return now + (later.take(pace, at: now) ?? .zero)
    }
}

extension TokenBucket {
    /// Takes a token; where there is no limit there always is one.
    mutating func take(_ limit: RateLimit?, at now: ContinuousClock.Instant) -> Duration? {
        limit.flatMap { take($0, at: now) }
    }
}
