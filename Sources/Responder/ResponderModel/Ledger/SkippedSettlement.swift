package import LightningCoding
package import LightningCrypto

/// A payment that was passed over, since its report could not be read or recorded.
package struct SkippedSettlement: Hashable, Sendable {
    package let backend: BackendName
    /// The hash of the invoice that was paid; nil when not even that could be read.
    package let paymentHash: PaymentHash?
    package let reason: String
    /// The position in the node's stream of settlements, as `UnreadableSettlement.cursor`.
    package let cursor: SettlementCursor?
    package let skippedAt: UnixTime

    package init(
        backend: BackendName, paymentHash: PaymentHash?, reason: String, cursor: SettlementCursor?, skippedAt: UnixTime
    ) {
        self.backend = backend
        self.paymentHash = paymentHash
        self.reason = reason
        self.cursor = cursor
        self.skippedAt = skippedAt
    }
}
