package import Bolt12
package import LightningCoding
package import LightningCrypto

package struct OfferOrder: Hashable, Sendable {
    /// Unique per account and stable, so that the same account's offer is found again; safe to show.
    package let label: String
    package let description: String
    /// The amount of one item, in msat; nil for any amount.
    package let amount: Millisatoshi?
    package let issuer: String?
    /// The maximum quantity in one invoice, 0 for no limit; nil when there are no items to count.
    package let quantityMax: UInt64?
    /// The last second at which invoices may be requested.
    package let absoluteExpiry: UnixTime?

    package init(
        label: String,
        description: String,
        amount: Millisatoshi? = nil,
        issuer: String? = nil,
        quantityMax: UInt64? = nil,
        absoluteExpiry: UnixTime? = nil
    ) {
        self.label = label
        self.description = description
        self.amount = amount
        self.issuer = issuer
        self.quantityMax = quantityMax
        self.absoluteExpiry = absoluteExpiry
    }
}

/// The node's own offer that a payment was made for. The node answered the request itself, so this is all we know about
/// it.
package struct OfferedPayment: Hashable, Sendable {
    package let offer: OfferID
    /// The invoice that the node issued; nil when the node does not report it.
    package let invoice: Bolt12Invoice?
    /// The payer's note, for nodes that report it but not the invoice.
    package let payerNote: String?

    /// Creates an attribution. The payer's note is read from the invoice when there is one. U+0000 in it, which not every
    /// ledger can store, becomes U+FFFD, and an invoice with an impossible time or amount is left out: the money has
    /// arrived, so it cannot be refused.
    package init(offer: OfferID, invoice: Bolt12Invoice?, payerNote: String? = nil) {
        self.offer = offer
        let isPossible = invoice.map {
            $0.expiresAt < .lastSecond && $0.createdAt < .lastSecond && $0.amount <= .maximum
        }
        self.invoice = isPossible == true ? invoice : nil
        self.payerNote = (invoice?.fields.request.payerNote ?? payerNote)?.replacingZero
    }

    /// The attribution of a payment as a node reports it. A text that is no invoice of that payment is left out.
    package init(offer: OfferID, payment paymentHash: PaymentHash, bolt12: String?, payerNote: String?) {
        let invoice = bolt12.flatMap { try? Bolt12Invoice($0) }
        self.init(offer: offer, invoice: invoice?.paymentHash == paymentHash ? invoice : nil, payerNote: payerNote)
    }
}
