/// How many events happened in the last minute, to within ten seconds.
struct MinuteCount: Sendable {
    private static let slotTime = Duration.seconds(10)
    private static let slotCount = 6

    private let start: ContinuousClock.Instant
    private var slot = 0
    private var counts = [UInt32](repeating: 0, count: slotCount)

    /// Starts at zero.
    init(at now: ContinuousClock.Instant) {
        start = now
    }

    /// Counts an event.
    mutating func add(at now: ContinuousClock.Instant) {
        advance(to: now)
        counts[slot % Self.slotCount] &+= 1
    }

    /// The events of the last fifty to sixty seconds.
    func count(at now: ContinuousClock.Instant) -> UInt64 {
        var later = self
        later.advance(to: now)
        return later.counts.reduce(0) { $0 + UInt64($1) }
    }

    private mutating func advance(to now: ContinuousClock.Instant) {
        let current = max(slot, Int((now - start) / Self.slotTime))
        // After more than a minute, all slots are stale.
        for passed in 1...Self.slotCount where slot + passed <= current { counts[(slot + passed) % Self.slotCount] = 0 }
        slot = current
    }
}
