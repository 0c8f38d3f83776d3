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
        /// The ledger has failed.
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
