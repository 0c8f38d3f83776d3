public import LightningCoding

/// The minimum and maximum of one payment. The minimum never exceeds the maximum and is at least 1 msat (LUD-06).
public struct ReceiveLimits: Hashable, Sendable {
    /// The minimum, in msat; at least 1.
    public let minimum: Millisatoshi
    /// The maximum, in msat.
    public let maximum: Millisatoshi

    /// Creates limits; nil when the minimum is zero or above the maximum.
    public init?(minimum: Millisatoshi, maximum: Millisatoshi) {
        guard minimum > .zero, minimum <= maximum else { return nil }
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Whether an amount is within the limits, inclusive.
    public func contains(_ amount: Millisatoshi) -> Bool {
        minimum <= amount && amount <= maximum
    }

    /// The intersection with other limits; nil when it is empty.
    public func narrowed(to minimum: Millisatoshi?, _ maximum: Millisatoshi?) -> ReceiveLimits? {
        ReceiveLimits(
            minimum: max(self.minimum, minimum ?? self.minimum),
            maximum: min(self.maximum, maximum ?? self.maximum)
        )
    }

    /// The limits in whole satoshis: the minimum rounded up, the maximum rounded down; nil when empty.
    public func wholeSatoshis() -> ReceiveLimits? {
        ReceiveLimits(minimum: minimum.roundedUpToSatoshi, maximum: maximum.roundedDownToSatoshi)
    }
}
