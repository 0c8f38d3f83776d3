import Platform
import ResponderModel

/// Decides when to renew a lease, and when to work under it: a pure state machine.
///
/// The work stops `LeaseTerms.hold` after the beginning of the last call that renewed the lease, by the instance's own
/// clock, whether the ledger answers or not.
struct LeaseAgenda: Sendable {
    enum Event: Hashable, Sendable {
        case woke
        /// The ledger has answered a call that began at that moment; nil when another instance holds the lease.
        case answered(Lease?, askedAt: MonotonicTime)
        case failed
        /// The work of that number has ended by itself.
        case ended(run: Int)
    }

    enum Action: Hashable, Sendable {
        case ask
        case start(Lease, run: Int)
        case stop
    }

    private let terms: LeaseTerms
    private var isAsking = false
    private var nextAsk: MonotonicTime
    private var run = 0
    private var work: (lease: Lease, until: MonotonicTime)?

    init(_ terms: LeaseTerms, at now: MonotonicTime) {
        self.terms = terms
        nextAsk = now
    }

    var held: Lease? { work?.lease }

    /// When to send `Event.woke`; nil when an answer comes first in any case.
    var nextWake: MonotonicTime? {
        guard !isAsking else { return work?.until }
        return min(nextAsk, work?.until ?? nextAsk)
    }

    mutating func on(_ event: Event, at now: MonotonicTime) -> [Action] {
        switch event {
        case .woke: break
        case .failed:
            isAsking = false
            nextAsk = now + LeaseTerms.retry
        case .ended(let number):
            guard number == run, work != nil else { break }
            work = nil
            nextAsk = min(nextAsk, now + LeaseTerms.retry)
        case .answered(let lease, let askedAt):
            isAsking = false
            nextAsk = askedAt + terms.renewal
            return renewed(lease, until: askedAt + terms.hold, at: now) + next(at: now)
        }
        return next(at: now)
    }

    private mutating func renewed(_ lease: Lease?, until: MonotonicTime, at now: MonotonicTime) -> [Action] {
        if let lease, lease == work?.lease {
            work = (lease, until)
            return []
        }
        let stopped: [Action] = work == nil ? [] : [.stop]
        work = nil
        guard let lease, now < until else { return stopped }
        work = (lease, until)
        run += 1
        return stopped + [.start(lease, run: run)]
    }

    private mutating func next(at now: MonotonicTime) -> [Action] {
        var actions: [Action] = []
        if let work, work.until <= now {
            self.work = nil
            actions.append(.stop)
        }
        if !isAsking, nextAsk <= now {
            isAsking = true
            actions.append(.ask)
        }
        return actions
    }
}

/// How long an instance holds what only one may hold, and how often it is heard of.
package struct LeaseTerms: Hashable, Sendable {
    /// How long a lease lasts in the ledger, in seconds.
    package let length: UInt64
    package let renewal: Duration
    /// How long after its last renewal the holder stops: less than `length` and the second that counting whole ones may
    /// take from it, so that it has stopped before others begin.
    package let hold: Duration
    package let heartbeat: Duration
    /// How long an instance is known after its last heartbeat, in seconds.
    package let lifetime: UInt64
    /// Whether no other instance can serve the ledger.
    package let isAlone: Bool

    /// How long the ledger may not have heard an instance before the others may not have been heard either. A call takes
    /// as long again: both together are less than the lifetime, less a heartbeat.
    var longestGap: Duration { .seconds(Int64(clamping: lifetime)) / 3 }

    /// How soon a renewal or a heartbeat that failed is tried again.
    static let retry = Duration.seconds(1)

    package static let shared = LeaseTerms(
        length: 10, renewal: .seconds(3), hold: .seconds(8), heartbeat: .seconds(3), lifetime: 15, isAlone: false)

    /// The terms of an instance that a lock keeps alone on its ledger: nobody waits for it, so it writes rarely.
    package static let alone = LeaseTerms(
        length: 3_600, renewal: .seconds(1_200), hold: .seconds(3_000), heartbeat: .seconds(60), lifetime: 300,
        isAlone: true)
}
