import LightningCoding
import Platform

/// Whether push services refuse our key, or only some of them, which devices may have named themselves. A pure state machine.
struct UnauthorizedWatch: Sendable {
    /// So many hosts within a period, while none accepts it, are a fault of ours: browsers share a few.
    static let tolerated = 3
    /// The period in which they are counted.
    static let period = Duration.seconds(600)

    private var start: MonotonicTime?
    private var refused: Set<ExactText> = []
    private var isAlarmed = false
    private var lastAcceptance: MonotonicTime?

    /// Notes that a host has accepted the key.
    mutating func noteAcceptance(at now: MonotonicTime) { lastAcceptance = now }

    /// Counts a refusal of a host. True when the operator is to be told now: once in a period.
    mutating func count(_ host: String, at now: MonotonicTime) -> Bool {
        if start.map({ now - $0 >= Self.period }) ?? true {
            start = now
            refused = []
            isAlarmed = false
        }
        if refused.count < Self.tolerated { refused.insert(ExactText(host)) }
        guard refused.count == Self.tolerated, !isAlarmed,
            !(lastAcceptance.map { now - $0 < PushAlarm.quietAfterAcceptance } ?? false)
        else { return false }
        isAlarmed = true
        return true
    }
}
