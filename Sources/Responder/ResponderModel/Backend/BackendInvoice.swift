import Bolt11
package import LightningCoding
package import LightningCrypto

/// A backend's response to an order. It is not trusted until `InvoiceInspection` has checked it.
package struct BackendInvoice: Hashable, Sendable {
    package let bolt11: String
    package let paymentHash: PaymentHash

    package init(bolt11: String, paymentHash: PaymentHash) {
        self.bolt11 = bolt11
        self.paymentHash = paymentHash
    }

    /// The hash that a payer would pay: the one in the text, or the one that the node names when the text cannot be
    /// read.
    package var hashToPay: PaymentHash {
        (try? UnverifiedBolt11Invoice(bolt11))?.paymentHash ?? paymentHash
    }
}

package struct InvoiceOrder: Sendable {
    /// The exact amount, in msat.
    package let amount: Millisatoshi
    package let description: Description
    /// How long it can be paid, in seconds from its timestamp.
    package let expiry: UInt64
    /// Globally unique, so that no retry and no other process can collide: 32 hex digits, the time and 96 random bits.
    package let label: String
    /// The preimage to use; nil lets the node choose. Only for backends with `acceptsPreimage`.
    package let preimage: Preimage?

    /// The description of an invoice, always in full, since some nodes hash it themselves.
    package enum Description: Hashable, Sendable {
        /// The invoice contains the text itself (`d`).
        case text(String)
        /// The invoice contains the SHA-256 of the text's UTF-8 bytes (`h`), as LUD-06 requires.
        case hashed(String)
    }

    package init(
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
