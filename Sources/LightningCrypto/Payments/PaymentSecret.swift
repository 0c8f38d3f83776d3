/// Given to the payer in the invoice, so that nobody else can probe for the payment (BOLT 11, field `s`).
public struct PaymentSecret: TypedSecret {
    /// The 32 bytes.
    public let secret: SecretBytes

    /// Exactly 32 bytes, shared and not copied. Throws `invalidLength`.
    public init(_ secret: SecretBytes) throws(CryptoFault) {
        try Self.requireLength(of: secret)
        self.secret = secret
    }
}
