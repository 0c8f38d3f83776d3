public import LightningCoding
public import LightningCrypto

/// A payment whose report cannot be read, or is impossible.
///
/// It takes its place in `ReceiveBackend.settlements(after:)`, so that one such payment does not block later ones.
public struct UnreadableSettlement: Error, Hashable, Sendable {
    /// The hash of the invoice that was paid; nil when not even that can be read.
    public let paymentHash: PaymentHash?
    /// What is wrong with it.
    public let fault: BackendFault
    /// The position in the node's stream of settlements, after this one; where its own cannot be read, after the one before.
    public let cursor: SettlementCursor

    /// Describes a skipped payment.
    public init(paymentHash: PaymentHash?, _ fault: BackendFault, cursor: SettlementCursor) {
        self.paymentHash = paymentHash
        self.fault = fault
        self.cursor = cursor
    }
}

/// A node's payments in its order: each settlement, or what is wrong with its report.
public typealias SettlementStream = AsyncThrowingStream<Result<Settlement, UnreadableSettlement>, any Error>

extension UnreadableSettlement: ReadableFault {
    /// The text for the operator.
    public var reason: String { fault.reason }
}
