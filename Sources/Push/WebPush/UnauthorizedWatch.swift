import LightningCoding
import Platform

/// Whether push services refuse our key, or only some of them, which devices may have named themselves. A pure state machine.
struct UnauthorizedWatch: Sendable {
    /// So many hosts within a period are a fault of ours: browsers share a few.
    static let tolerated = 3
    /// The period in which they are counted.
    static let period = Duration.seconds(600)

    private var start: MonotonicTime?
    private var refused: Set<ExactText> = []

    /// Counts a refusal of a host. True when the operator is to be told now: once in a period.
    mutating func count(_ host: String, at now: MonotonicTime) -> Bool {
        if start.map({ now - $0 >= Self.period }) ?? true {
            start = now
            refused = []
        }
        guard refused.count < Self.tolerated else { return false }
        return refused.insert(ExactText(host)).inserted && refused.count == Self.tolerated
    }
}
