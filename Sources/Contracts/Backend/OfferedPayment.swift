public import Bolt12

/// By which offer of the node's own a payment came: nobody asked us for its invoice, so that this is all that is known of it.
public struct OfferedPayment: Hashable, Sendable {
    /// The offer that was paid.
    public let offer: OfferID
    /// The invoice that the node answered the request with; nil when the node does not tell.
    public let invoice: Invoice?
    /// The payer's note, for nodes that tell it but not the invoice.
    public let payerNote: String?

    /// Creates an attribution. The payer's note is read from the invoice when there is one.
    public init(offer: OfferID, invoice: Invoice?, payerNote: String? = nil) {
        self.offer = offer
        self.invoice = invoice
        self.payerNote = invoice?.fields.request.payerNote ?? payerNote
    }
}
