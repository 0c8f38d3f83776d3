public import LightningCoding
public import LightningCrypto

/// What is asked of a backend: one invoice.
public struct InvoiceOrder: Sendable {
    /// The exact amount, in msat.
    public let amount: Millisatoshi
    /// What the invoice commits to.
    public let description: Description
    /// Seconds from the invoice's timestamp during which it can be paid.
    public let expiry: UInt64
    /// Unique for ever, so that no retry and no second process can collide: 32 hex digits, the time and 96 random bits.
    public let label: String
    /// The preimage to use; nil lets the node choose. Only for backends with `acceptsPreimage`.
    public let preimage: Preimage?

    /// The text behind an invoice, always in full, since some nodes hash it themselves.
    public enum Description: Hashable, Sendable {
        /// The text itself stands in the invoice (`d`).
        case text(String)
        /// The SHA-256 of the text's UTF-8 bytes stands in the invoice (`h`), as LUD-06 wants it.
        case hashed(String)
    }

    /// Creates an order.
    public init(
        amount: Millisatoshi,
        description: Description,
        expiry: UInt64,
        label: String,
        preimage: Preimage? = nil
    ) {
        self.amount = amount
        self.description = description
        self.expiry = expiry
        self.label = label
        self.preimage = preimage
    }
}
