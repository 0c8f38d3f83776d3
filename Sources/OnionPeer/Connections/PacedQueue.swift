/// Messages that leave no faster than the other side takes them: at once while there are tokens, then one after the other;
/// what does not fit into the queue is shed.
struct PacedQueue: Hashable, Sendable {
    private var bucket: TokenBucket
    private let capacity: Int
    private var waiting: [[UInt8]] = []

    /// An empty queue.
    init(_ limits: PeerLimits, at now: Duration) {
        bucket = TokenBucket(burst: limits.departureBurst, rate: limits.departureRate, at: now)
        capacity = limits.departureQueue
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
    mutating func due(at now: Duration) -> [[UInt8]] {
        var due: [[UInt8]] = []
        while due.count < waiting.count, bucket.take(at: now) { due.append(waiting[due.count]) }
        waiting.removeFirst(due.count)
        return due
    }

    /// When the next message may leave; nil when none waits.
    func deadline(after now: Duration) -> Duration? {
        waiting.isEmpty ? nil : bucket.nextToken(after: now)
    }
}
