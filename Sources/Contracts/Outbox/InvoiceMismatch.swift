import LightningCoding
public import LightningCrypto

/// The payload of work that cancels an invoice which a node made otherwise than ordered:
/// `{"backend":"…","paymentHash":"…","cause":"…"}`. No payer has seen the invoice.
public struct InvoiceMismatch: Hashable, Sendable {
    /// The node.
    public let backend: BackendName
    /// The payment hash inside the invoice; the one that the node reported when it cannot be read.
    public let paymentHash: PaymentHash
    /// How the invoice differs from the order: a sentence for the operator.
    public let cause: String

    /// Creates a mismatch.
    public init(backend: BackendName, paymentHash: PaymentHash, cause: String) {
        self.backend = backend
        self.paymentHash = paymentHash
        self.cause = cause
    }

    /// Reads a payload; nil when it is invalid.
    public init?(payload: [UInt8]) {
        guard let object = try? JSONValue(parsing: payload).object, let name = object["backend"]?.string,
            let backend = BackendName(name), let hash = object["paymentHash"]?.string,
            let paymentHash = try? PaymentHash(hexadecimal: hash), let cause = object["cause"]?.string
        else { return nil }
        self.init(backend: backend, paymentHash: paymentHash, cause: cause)
    }

    /// The payload.
    public var payload: [UInt8] {
        JSONValue.object([
            "backend": .string(backend.description), "paymentHash": .string(paymentHash.hexadecimal),
            "cause": .string(cause),
        ]).serializedBytes()
    }

    /// How many of a node may wait to be cancelled. More are not recorded, so that a node which is always wrong does not
    /// fill the ledger.
    public static let maximumPending = 100
}
