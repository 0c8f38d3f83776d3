import Bolt11
public import LightningCrypto

/// A backend's response to an order. It is not trusted until `InvoiceInspection` has checked it.
public struct BackendInvoice: Hashable, Sendable {
    /// The BOLT11 text.
    public let bolt11: String
    /// The payment hash that the node names.
    public let paymentHash: PaymentHash

    /// Creates a response.
    public init(bolt11: String, paymentHash: PaymentHash) {
        self.bolt11 = bolt11
        self.paymentHash = paymentHash
    }

    /// The hash that a payer would pay: the one in the text, or the one that the node names when the text cannot be
    /// read.
    public var hashToPay: PaymentHash {
        (try? UnverifiedBolt11Invoice(bolt11))?.paymentHash ?? paymentHash
    }
}
