import LightningCrypto
import Platform

/// Whether push services refuse our key, or only for single subscriptions, which may have been made with another one. A pure
/// state machine.
struct UnauthorizedWatch: Sendable {
    /// So many subscriptions within a period are a fault of ours.
    static let tolerated = 5
    /// The period in which they are counted.
    static let period = Duration.seconds(600)

    private var start: MonotonicTime?
    private var refused: Set<[UInt8]> = []

    /// Counts an answer. True when the operator is to be told now: once in a period.
    mutating func count(_ verdict: PushVerdict, of endpoint: String, at now: MonotonicTime) -> Bool {
        guard case .unauthorized = verdict else { return false }
        if start.map({ now - $0 >= Self.period }) ?? true {
            start = now
            refused = []
        }
        guard refused.count < Self.tolerated else { return false }
        return refused.insert(SHA256.hash(endpoint.utf8)).inserted && refused.count == Self.tolerated
    }
}
