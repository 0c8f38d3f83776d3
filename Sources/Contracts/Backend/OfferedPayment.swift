public import Bolt12

/// The node's own offer that a payment was made for. The node answered the request itself, so this is all we know about
/// it.
public struct OfferedPayment: Hashable, Sendable {
    /// The offer that was paid.
    public let offer: OfferID
    /// The invoice that the node issued; nil when the node does not report it.
    public let invoice: Invoice?
    /// The payer's note, for nodes that report it but not the invoice.
    public let payerNote: String?

    /// Creates an attribution. The payer's note is read from the invoice when there is one. U+0000 in it, which not every
    /// ledger can store, becomes U+FFFD: the money has arrived, so it cannot be refused.
    public init(offer: OfferID, invoice: Invoice?, payerNote: String? = nil) {
        self.offer = offer
        self.invoice = invoice
        self.payerNote = (invoice?.fields.request.payerNote ?? payerNote)?.replacingZero
    }
}
