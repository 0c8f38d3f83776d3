public import LightningCoding

/// The least and the most that can be received in one payment. The minimum never lies above the maximum, and is at least
/// 1 msat (LUD-06).
public struct ReceiveLimits: Hashable, Sendable {
    /// The least amount, in msat; at least 1.
    public let minimum: Millisatoshi
    /// The greatest amount, in msat.
    public let maximum: Millisatoshi

    /// Limits between two amounts; nil when the minimum is zero or above the maximum.
    public init?(minimum: Millisatoshi, maximum: Millisatoshi) {
        guard minimum > .zero, minimum <= maximum else { return nil }
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Whether an amount lies within, both ends included.
    public func contains(_ amount: Millisatoshi) -> Bool {
        minimum <= amount && amount <= maximum
    }

    /// The amounts that both allow; nil when there are none.
    public func narrowed(to minimum: Millisatoshi?, _ maximum: Millisatoshi?) -> ReceiveLimits? {
        ReceiveLimits(
            minimum: max(self.minimum, minimum ?? self.minimum),
            maximum: min(self.maximum, maximum ?? self.maximum)
        )
    }

    /// The whole satoshis within: the minimum rounded up, the maximum rounded down; nil when there are none.
    public func wholeSatoshis() -> ReceiveLimits? {
        ReceiveLimits(minimum: minimum.roundedUpToSatoshi, maximum: maximum.roundedDownToSatoshi)
    }
}
