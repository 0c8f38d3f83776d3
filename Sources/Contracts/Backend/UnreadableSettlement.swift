public import LightningCoding
public import LightningCrypto

/// A payment that a node tells of in words that cannot be read, or that cannot be true.
///
/// `ReceiveBackend.settlements(after:)` ends with it; asked again after `cursor`, it goes on behind it. One such payment must not
/// stand in the way of all later ones.
public struct UnreadableSettlement: Error, Hashable, Sendable {
    /// The hash of the invoice that was paid; nil when not even that can be read.
    public let paymentHash: PaymentHash?
    /// What is wrong with it.
    public let fault: BackendFault
    /// Where the node's stream of settlements stands behind it.
    public let cursor: SettlementCursor

    /// Describes a payment that is left out.
    public init(paymentHash: PaymentHash?, _ fault: BackendFault, cursor: SettlementCursor) {
        self.paymentHash = paymentHash
        self.fault = fault
        self.cursor = cursor
    }
}

extension UnreadableSettlement: ReadableFault {
    /// What the operator reads.
    public var reason: String { fault.reason }
}
