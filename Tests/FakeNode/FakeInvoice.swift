package import Bolt11
package import LightningCoding
package import LightningCrypto

/// An invoice of a fake node, which is a real one.
package struct FakeInvoice: Sendable {
    /// Its text.
    package let text: String
    /// What the payer learns; real nodes know it from the start.
    package let preimage: Preimage
    /// What proves that the payer has seen the invoice.
    package let secret: PaymentSecret
    /// What it commits to.
    package let description: Bolt11Description
    /// What it asks for.
    package let amount: Millisatoshi
    /// When it was made.
    package let createdAt: UnixTime
    /// Seconds from then.
    package let expiry: UInt64

    /// What identifies it.
    package var paymentHash: PaymentHash { preimage.paymentHash }

    /// The first moment at which it can no longer be paid.
    package var expiresAt: UnixTime { createdAt.adding(seconds: expiry) }

    /// Signs an invoice.
    package init(
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
package struct PaymentFailed: Error {
    /// Why.
    package let reason: String

    /// A failure.
    package init(_ reason: String) {
        self.reason = reason
    }
}
