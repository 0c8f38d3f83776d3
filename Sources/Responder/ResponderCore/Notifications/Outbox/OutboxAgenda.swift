import LightningCoding
package import LightningCrypto

/// Decides when to claim work from an outbox, and how much: a pure state machine. Never claims more than there are free
/// slots.
struct OutboxAgenda: Sendable {
    enum Event: Hashable, Sendable {
        /// There may be new work, or a wait is over.
        case woke
        /// So much was claimed; the next is due at that moment.
        case claimed(Int, nextDue: UnixTime?)
        case failed
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

/// How many seconds to wait after each failed attempt, with random jitter, so that work that failed together is not
/// retried together.
package struct RetrySchedule: Hashable, Sendable {
    /// The pause after each attempt; there is one attempt more than there are pauses.
    package let pauses: [UInt64]

    package init(pauses: [UInt64]) {
        self.pauses = pauses
    }

    /// Eleven attempts over a day, with pauses of 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, 8 h and 8 h.
    package static let day = RetrySchedule(
        pauses: [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800])

    /// Whether the attempt of that number, from 1, is made.
    func allows(_ attempt: UInt64) -> Bool { attempt <= UInt64(pauses.count) + 1 }

    /// Seconds until the next attempt, with jitter of up to a quarter; nil when there is none. Without random numbers
    /// there is no jitter.
    ///
    /// - Parameter attempts: how many were made.
    package func pause(after attempts: UInt64, random: RandomSource) -> UInt64? {
        guard attempts > 0, let index = Int(exactly: attempts - 1), pauses.indices ~= index else { return nil }
        let pause = pauses[index]
        let drawn = ((try? random(2)) ?? [0, 0]).reduce(0) { $0 << 8 | UInt64($1) }
        return pause + pause * drawn / (4 << 16)
    }
}
