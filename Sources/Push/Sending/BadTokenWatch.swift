public import Platform

/// Whether tokens that the provider does not know are dropped: not when they are many, since a wrong server knows none of
/// them. A pure state machine.
public struct BadTokenWatch: Sendable {
    /// One token in so many may be unknown.
    public static let tolerated = 20
    /// As few say nothing.
    public static let minimum = 5
    /// The period in which they are counted.
    public static let period = Duration.seconds(60)

    private var start: MonotonicTime?
    private var total = 0
    private var bad = 0
    /// Whether the operator has been told, in this period or the one before.
    public private(set) var isAlarmed = false

    /// Nothing counted yet.
    public init() {}

    /// Counts an answer. True when the operator is to be told now.
    public mutating func count(isBad: Bool, at now: MonotonicTime) -> Bool {
        if let start, now - start < Self.period {
            total += 1
        } else {
            isAlarmed = isMany
            start = now
            total = 1
            bad = 0
        }
        bad += isBad ? 1 : 0
        guard isMany, !isAlarmed else { return false }
        isAlarmed = true
        return true
    }

    /// Whether unknown tokens are dropped.
    public var drops: Bool { !isAlarmed }

    private var isMany: Bool { bad >= Self.minimum && bad * Self.tolerated > total }
}
