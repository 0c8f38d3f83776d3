public import Bolt11
public import LightningCoding
public import LightningCrypto

/// An invoice of a fake node, which is a real one.
public struct FakeInvoice: Sendable {
    /// Its text.
    public let text: String
    /// What the payer learns; real nodes know it from the start.
    public let preimage: Preimage
    /// What proves that the payer has seen the invoice.
    public let secret: PaymentSecret
    /// What it commits to.
    public let description: Bolt11Description
    /// What it asks for.
    public let amount: Millisatoshi
    /// When it was made.
    public let createdAt: UnixTime
    /// Seconds from then.
    public let expiry: UInt64

    /// What identifies it.
    public var paymentHash: PaymentHash { preimage.paymentHash }

    /// The first moment at which it can no longer be paid.
    public var expiresAt: UnixTime { createdAt.adding(seconds: expiry) }

    /// Signs an invoice.
    public init(
        _ amount: Millisatoshi, _ description: Bolt11Description, expiry: UInt64, preimage: Preimage? = nil,
        routeHints: [RouteHint] = [], at now: UnixTime, on network: Network, by key: SecretKey
    ) throws {
        self.preimage = try preimage ?? Preimage(random: SystemRandom.bytes)
        secret = try PaymentSecret(random: SystemRandom.bytes)
        self.description = description
        self.amount = amount
        self.expiry = expiry
        createdAt = now
        let draft = Bolt11Draft(
            network: network, amount: amount, timestamp: now, paymentHash: self.preimage.paymentHash,
            paymentSecret: secret, description: description, expiry: expiry, minFinalCLTVExpiryDelta: 80,
            features: Bolt11Features(
                required: [.variableLengthOnion, .paymentSecret], optional: [.basicMultiPartPayment]),
            routeHints: routeHints)
        text = try draft.signed(by: key).text
    }
}

/// A payer's payment did not arrive.
public struct PaymentFailed: Error {
    /// Why.
    public let reason: String

    /// A failure.
    public init(_ reason: String) {
        self.reason = reason
    }
}
