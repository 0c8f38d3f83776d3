public import LightningCoding
public import LightningCrypto

/// An order to a backend for one invoice.
public struct InvoiceOrder: Sendable {
    /// The exact amount, in msat.
    public let amount: Millisatoshi
    /// What the invoice commits to.
    public let description: Description
    /// How long it can be paid, in seconds from its timestamp.
    public let expiry: UInt64
    /// Globally unique, so that no retry and no other process can collide: 32 hex digits, the time and 96 random bits.
    public let label: String
    /// The preimage to use; nil lets the node choose. Only for backends with `acceptsPreimage`.
    public let preimage: Preimage?

    /// The description of an invoice, always in full, since some nodes hash it themselves.
    public enum Description: Hashable, Sendable {
        /// The invoice contains the text itself (`d`).
        case text(String)
        /// The invoice contains the SHA-256 of the text's UTF-8 bytes (`h`), as LUD-06 requires.
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
