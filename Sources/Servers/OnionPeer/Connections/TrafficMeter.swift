import Platform

final class TrafficMeter: Sendable {
    private struct State {
        var traffic = PeerTraffic()
        var waiting = 0
        var arrivals = MinuteCount(at: .now)
        var departures = MinuteCount(at: .now)
    }

    private let state = Guarded(State())

    var traffic: PeerTraffic {
        state.withLock { state in
            var traffic = state.traffic
            traffic.onionsInLastMinute = state.arrivals.count(at: .now)
            traffic.onionsOutLastMinute = state.departures.count(at: .now)
            return traffic
        }
    }

    var waiting: Int { state.withLock { $0.waiting } }

    func note(_ change: @Sendable (inout PeerTraffic) -> Void) {
        state.withLock { change(&$0.traffic) }
    }

    func noteArrival() {
        state.withLock { state in
            state.traffic.onionsIn &+= 1
            state.arrivals.add(at: .now)
        }
    }

    func noteDeparture() {
        state.withLock { state in
            state.traffic.onionsOut &+= 1
            state.departures.add(at: .now)
        }
    }

    /// A message is about to be queued.
    func expectOne() {
        state.withLock { $0.waiting += 1 }
    }

    func setWaiting(_ count: Int) {
        state.withLock { $0.waiting = count }
    }
}

package struct PeerTraffic: Hashable, Sendable {
    package var bytesIn: UInt64 = 0
    package var bytesOut: UInt64 = 0
    package var onionsIn: UInt64 = 0
    package var onionsOut: UInt64 = 0
    package var onionsInLastMinute: UInt64 = 0
    package var onionsOutLastMinute: UInt64 = 0
    /// Dropped messages, by reason.
    package var dropped: [DropReason: UInt64] = [:]
    package var warning: String?

    package init() {}
}

/// How many events happened in the last minute, to within ten seconds.
struct MinuteCount: Sendable {
    private static let slotTime = Duration.seconds(10)
    private static let slotCount = 6

    private let start: MonotonicTime
    private var slot = 0
    private var counts = [UInt32](repeating: 0, count: slotCount)

    init(at now: MonotonicTime) {
        start = now
    }

    /// Counts an event.
    mutating func add(at now: MonotonicTime) {
        advance(to: now)
        counts[slot % Self.slotCount] &+= 1
    }

    /// The events of the last fifty to sixty seconds.
    func count(at now: MonotonicTime) -> UInt64 {
        var later = self
        later.advance(to: now)
        return later.counts.reduce(0) { $0 + UInt64($1) }
    }

    private mutating func advance(to now: MonotonicTime) {
        let current = max(slot, Int((now - start) / Self.slotTime))
        // After more than a minute, all slots are stale.
        for passed in 1...Self.slotCount where slot + passed <= current { counts[(slot + passed) % Self.slotCount] = 0 }
        slot = current
    }
}

/// Limits how fast a peer is read: every message counts, whatever happens to it, and beyond the limit reading pauses.
struct ReadingPace: Hashable, Sendable {
    private let limit: RateLimit?
    private let smallest: Int
    private var bucket: TokenBucket
    /// When reading resumes; nil when it is not paused.
    private(set) var pauseEnd: MonotonicTime?

    /// Starts with nothing read.
    init(_ limits: PeerLimits, at now: MonotonicTime) {
        limit = limits.reading
        smallest = limits.smallestMessage
        bucket = TokenBucket(at: now)
    }

    /// A message of this many bytes was read.
    ///
    /// - Returns: whether it starts a pause; a running pause grows longer.
    mutating func take(_ count: Int, at now: MonotonicTime) -> Bool {
        guard let limit else { return false }
        let wait = bucket.spend(max(count, smallest), of: limit, at: now)
        guard wait > .zero else { return false }
        defer { pauseEnd = now + wait }
        return pauseEnd == nil
    }

    /// Whether a pause ends now.
    mutating func resume(at now: MonotonicTime) -> Bool {
        guard let moment = pauseEnd, now >= moment else { return false }
        pauseEnd = nil
        return true
    }
}
