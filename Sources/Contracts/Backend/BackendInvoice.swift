import Bolt11
public import LightningCrypto

/// What a backend answers to an order. Nothing in it is believed before `InvoiceInspection` has compared it.
public struct BackendInvoice: Hashable, Sendable {
    /// The BOLT11 text.
    public let bolt11: String
    /// The payment hash that the node names.
    public let paymentHash: PaymentHash

    /// Creates an answer.
    public init(bolt11: String, paymentHash: PaymentHash) {
        self.bolt11 = bolt11
        self.paymentHash = paymentHash
    }

    /// The hash that a payer would pay, inside the text; the one that the node names where the text cannot be read.
    public var hashToPay: PaymentHash {
        (try? UnverifiedBolt11Invoice(bolt11))?.paymentHash ?? paymentHash
    }
}
