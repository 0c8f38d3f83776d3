public import LightningCoding
public import LightningCrypto

/// A payment that was passed over, since its report could not be read or recorded.
public struct SkippedSettlement: Hashable, Sendable {
    /// The node that received it.
    public let backend: BackendName
    /// The hash of the invoice that was paid; nil when not even that could be read.
    public let paymentHash: PaymentHash?
    /// What was wrong with it.
    public let reason: String
    /// The position in the node's stream of settlements, after it.
    public let cursor: SettlementCursor
    /// When it was last passed over.
    public let skippedAt: UnixTime

    /// Creates a record.
    public init(
        backend: BackendName, paymentHash: PaymentHash?, reason: String, cursor: SettlementCursor, skippedAt: UnixTime
    ) {
        self.backend = backend
        self.paymentHash = paymentHash
        self.reason = reason
        self.cursor = cursor
        self.skippedAt = skippedAt
    }
}
