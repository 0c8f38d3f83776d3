public import Bolt12
import LightningCoding

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
    /// ledger can store, becomes U+FFFD, and an invoice with an impossible time or amount is left out: the money has
    /// arrived, so it cannot be refused.
    public init(offer: OfferID, invoice: Invoice?, payerNote: String? = nil) {
        self.offer = offer
        let isPossible = invoice.map {
            $0.expiresAt < .lastSecond && $0.createdAt < .lastSecond && $0.amount <= .maximum
        }
        self.invoice = isPossible == true ? invoice : nil
        self.payerNote = (invoice?.fields.request.payerNote ?? payerNote)?.replacingZero
    }
}
