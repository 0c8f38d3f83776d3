import LightningCoding

/// Decides when to claim work from an outbox, and how much: a pure state machine. Never claims more than there are free
/// slots.
struct OutboxAgenda: Sendable {
    enum Event: Hashable, Sendable {
        /// There may be new work, or a wait is over.
        case woke
        /// So much was claimed; the next is due at that moment.
        case claimed(Int, nextDue: UnixTime?)
        /// The ledger failed.
        case failed
        /// One piece of work has ended.
        case finished
    }

    enum Action: Hashable, Sendable {
        case claim(limit: Int)
        /// Send ``Event/woke`` at that moment, unless another wait replaces this one.
        case wait(until: UnixTime)
    }

    let concurrency: Int
    /// How often to look for work added by other processes, in seconds.
    let interval: UInt64
    private(set) var inHand = 0
    /// How much is being claimed; nil when nothing is.
    private var asked: Int?
    private var mayHaveMore = false
    private var nextLook: UnixTime?

    init(concurrency: Int, interval: UInt64) {
        self.concurrency = concurrency
        self.interval = interval
    }

    mutating func on(_ event: Event, at now: UnixTime) -> Action? {
        switch event {
        case .woke: mayHaveMore = true
        case .claimed(let count, let nextDue):
            inHand += count
            mayHaveMore = mayHaveMore || count == asked
            asked = nil
            nextLook = min(nextDue ?? .lastSecond, now.adding(seconds: interval))
        case .failed:
            asked = nil
            mayHaveMore = false
            nextLook = now.adding(seconds: interval)
        case .finished: inHand -= 1
        }
        return next(at: now)
    }

    private mutating func next(at now: UnixTime) -> Action? {
        guard asked == nil, inHand < concurrency else { return nil }
        if mayHaveMore {
            mayHaveMore = false
            asked = concurrency - inHand
            return .claim(limit: concurrency - inHand)
        }
        defer { nextLook = nil }
        return nextLook.map { .wait(until: $0) }
    }
}
