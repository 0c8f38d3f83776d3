package import Bolt12
package import LightningCoding
package import LightningCrypto

package struct IssuedInvoice: Equatable, Sendable {
    package let paymentHash: PaymentHash
    package let account: AccountID
    package let backend: BackendName
    package let label: String
    /// Its BOLT11 text; nil when the node has answered a request for its own offer.
    package let bolt11: String?
    /// The amount, in msat.
    package let amount: Millisatoshi
    package let createdAt: UnixTime
    /// The first moment at which it can no longer be paid.
    package let expiresAt: UnixTime
    /// How it was requested, and what the payer sent.
    package let origin: InvoiceOrigin
    /// The payment received; nil until then.
    package var settlement: RecordedSettlement?

    package init(
        paymentHash: PaymentHash,
        account: AccountID,
        backend: BackendName,
        label: String,
        bolt11: String?,
        amount: Millisatoshi,
        createdAt: UnixTime,
        expiresAt: UnixTime,
        origin: InvoiceOrigin,
        settlement: RecordedSettlement? = nil
    ) {
        self.paymentHash = paymentHash
        self.account = account
        self.backend = backend
        self.label = label
        self.bolt11 = bolt11
        self.amount = amount
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.origin = origin
        self.settlement = settlement
    }

    /// The state of the invoice at a moment. A settled one stays settled.
    package func state(at now: UnixTime) -> State {
        if settlement != nil { return .settled }
        return now < expiresAt ? .open : .expired
    }

    package enum State: String, CaseIterable, Hashable, Sendable {
        case open
        case settled
        case expired
    }
}

package struct RecordedSettlement: Equatable, Sendable {
    /// When the node recorded it as settled.
    package let settledAt: UnixTime
    /// The amount received, in msat.
    package let received: Millisatoshi
    package let preimage: Preimage

    package init(settledAt: UnixTime, received: Millisatoshi, preimage: Preimage) {
        self.settledAt = settledAt
        self.received = received
        self.preimage = preimage
    }
}

package enum InvoiceOrigin: Hashable, Sendable {
    /// Over LNURL-pay (LUD-06).
    case lnurl(PayerWords)
    /// By an invoice request for an offer (BOLT 12). `OfferedInvoice` holds the invoice that was issued; the BOLT11
    /// text is the node's own and not shown to the payer.
    case bolt12(OfferedInvoice)

    package struct PayerWords: Hashable, Sendable {
        package let metadataVersion: UInt64
        /// The tag of the address that was paid (LUD-16), without `+`.
        package let tag: String?
        package let comment: String?
        /// The payer data as received (LUD-18), a JSON text.
        package let payerData: String?

        package init(metadataVersion: UInt64, tag: String? = nil, comment: String? = nil, payerData: String? = nil) {
            self.metadataVersion = metadataVersion
            self.tag = tag
            self.comment = comment
            self.payerData = payerData
        }
    }

    package struct OfferedInvoice: Hashable, Sendable {
        package let offer: OfferID
        /// The invoice, bytes of its TLV stream; nil when a node answered the request itself and does not report it.
        package let invoice: [UInt8]?
        package let quantity: UInt64?
        package let payerNote: String?
        /// The name under which the payer found the offer (BIP-353): `alice@example.com`.
        package let name: String?

        package var text: String? { invoice.map { Bolt12Text.encode($0, as: .invoice) } }

        package init(offer: OfferID, invoice: [UInt8]?, quantity: UInt64?, payerNote: String?, name: String?) {
            self.offer = offer
            self.invoice = invoice
            self.quantity = quantity
            self.payerNote = payerNote
            self.name = name
        }
    }
}
