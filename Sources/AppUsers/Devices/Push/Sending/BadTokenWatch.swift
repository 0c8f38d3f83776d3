package import Platform

/// Whether tokens that the provider does not know are dropped: not when they are many, since a wrong server knows none of
/// them. A pure state machine.
package struct BadTokenWatch: Sendable {
    /// One token in so many may be unknown.
    package static let tolerated = 20
    /// As few say nothing.
    package static let minimum = 5
    package static let period = Duration.seconds(60)

    private var start: MonotonicTime?
    private var total = 0
    private var bad = 0
    private var lastAcceptance: MonotonicTime?
    private var isAlarmed = false
    /// Whether unknown tokens are dropped: not when there were many in this period or the one before.
    package private(set) var drops = true

    package init() {}

    /// Counts an answer. True when the operator is to be told now: not of a server that has accepted a token lately.
    package mutating func count(_ verdict: PushVerdict, at now: MonotonicTime) -> Bool {
        if let start, now - start < Self.period {
            total += 1
        } else {
            drops = !isMany
            isAlarmed = isAlarmed && isMany
            start = now
            total = 1
            bad = 0
        }
        switch verdict {
        case .badToken: bad += 1
        case .accepted: lastAcceptance = now
        default: break
        }
        guard isMany else { return false }
        drops = false
        guard !isAlarmed, !(lastAcceptance.map { now - $0 < PushAlarm.quietAfterAcceptance } ?? false) else {
            return false
        }
        isAlarmed = true
        return true
    }

    private var isMany: Bool { bad >= Self.minimum && bad * Self.tolerated > total }
}
