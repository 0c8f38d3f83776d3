import LightningCoding
public import LightningCrypto

/// The payload of work by which somebody is told of a payment: `{"paymentHash":"…"}`. The rest stands in the invoice, which stays
/// for good once it is settled.
public struct SettlementNotice: Hashable, Sendable {
    /// Which payment it is.
    public let paymentHash: PaymentHash

    /// Names a payment.
    public init(paymentHash: PaymentHash) {
        self.paymentHash = paymentHash
    }

    /// Reads a payload; nil when it is none.
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
