import Platform

/// A queue that sends no faster than the peer accepts: at once while the limit allows, then paced; when it is full,
/// messages are dropped.
struct PacedQueue: Hashable, Sendable {
    private let pace: RateLimit?
    private let capacity: Int
    private var bucket: TokenBucket
    private var waiting: [[UInt8]] = []

    init(_ limits: PeerLimits, at now: MonotonicTime) {
        pace = limits.departures
        capacity = limits.departureQueue
        bucket = TokenBucket(at: now)
    }

    var count: Int { waiting.count }

    /// Appends a message; false when the queue is full.
    mutating func append(_ message: [UInt8]) -> Bool {
        guard waiting.count < capacity else { return false }
        waiting.append(message)
        return true
    }

    /// Takes the messages that may be sent now.
    mutating func due(at now: MonotonicTime) -> [[UInt8]] {
        var due: [[UInt8]] = []
        while due.count < waiting.count, bucket.take(pace, at: now) == nil { due.append(waiting[due.count]) }
        waiting.removeFirst(due.count)
        return due
    }

    /// When the next message may be sent; nil when the queue is empty.
    func deadline(after now: MonotonicTime) -> MonotonicTime? {
        guard !waiting.isEmpty else { return nil }
        var later = bucket
        return now + (later.take(pace, at: now) ?? .zero)
    }
}

extension TokenBucket {
    /// Takes a token; nil when one was available, or when there is no limit; else the wait for it.
    mutating func take(_ limit: RateLimit?, at now: MonotonicTime) -> Duration? {
        limit.flatMap { take($0, at: now) }
    }
}
