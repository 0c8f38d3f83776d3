/// Released by the payee to claim the payment, and the payer's proof of payment. It must not be disclosed before the
/// payment has settled.
public struct Preimage: TypedSecret {
    /// The 32 bytes.
    public let secret: SecretBytes

    /// Exactly 32 bytes, shared and not copied. Throws `invalidLength`.
    public init(_ secret: SecretBytes) throws(CryptoFault) {
        try Self.requireLength(of: secret)
        self.secret = secret
    }

    /// The SHA-256 of the preimage.
    public var paymentHash: PaymentHash { PaymentHash(of: self) }
}
