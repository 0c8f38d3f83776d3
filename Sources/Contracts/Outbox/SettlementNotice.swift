import LightningCoding
public import LightningCrypto

/// The payload of work that reports a payment: `{"paymentHash":"…"}`. The rest is in the invoice, which is kept for
/// good once settled.
public struct SettlementNotice: Hashable, Sendable {
    /// The payment.
    public let paymentHash: PaymentHash

    /// Creates a notice.
    public init(paymentHash: PaymentHash) {
        self.paymentHash = paymentHash
    }

    /// Reads a payload; nil when it is invalid.
    public init?(payload: [UInt8]) {
        guard let hash = try? JSONValue(parsing: payload).object?["paymentHash"]?.string,
            let paymentHash = try? PaymentHash(hexadecimal: hash)
        else { return nil }
        self.paymentHash = paymentHash
    }

    /// The payload.
    public var payload: [UInt8] {
        JSONValue.object(["paymentHash": .string(paymentHash.hexadecimal)]).serializedBytes()
    }
}
