import LightningCoding

/// When to take work from an outbox, and how much: a pure machine. As much is in hand as there are places, and no more.
struct OutboxAgenda: Sendable {
    enum Event: Hashable, Sendable {
        /// There may be new work, or the moment of a wait has come.
        case woke
        /// So much was taken; the next is due then.
        case claimed(Int, nextDue: UnixTime?)
        /// The ledger gave none.
        case failed
        /// One piece in hand is done with.
        case finished
    }

    enum Action: Hashable, Sendable {
        case claim(limit: Int)
        /// Tell ``Event/woke`` at that moment, unless another wait takes its place.
        case wait(until: UnixTime)
    }

    let places: Int
    /// After how many seconds work of other processes is looked for.
    let interval: UInt64
    private(set) var inHand = 0
    /// How much is being asked for; nil when nothing is.
    private var asked: Int?
    private var mayHaveMore = false
    private var nextLook: UnixTime?

    init(places: Int, interval: UInt64) {
        self.places = places
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
        guard asked == nil, inHand < places else { return nil }
        if mayHaveMore {
            mayHaveMore = false
            asked = places - inHand
            return .claim(limit: places - inHand)
        }
        defer { nextLook = nil }
        return nextLook.map { .wait(until: $0) }
    }
}
