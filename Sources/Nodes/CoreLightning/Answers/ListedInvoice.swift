import Bolt12
import LightningCoding
import LightningCrypto
import ResponderModel

/// An invoice as `listinvoices` and `waitanyinvoice` show it.
struct ListedInvoice: Sendable {
    let label: String
    let paymentHash: PaymentHash
    let state: State

    enum State: Sendable {
        case unpaid
        case expired
        case paid(Payment)
    }

    /// A payment; lightningd reveals the preimage only of paid invoices.
    struct Payment: Sendable {
        /// Its position among all payments that the node has received, from 1.
        let index: UInt64
        let received: Millisatoshi
        let paidAt: UnixTime
        let preimage: Preimage
        /// The node's own offer that was paid.
        let offered: OfferedPayment?
    }

    init(_ answer: NodeAnswer) throws(BackendFault) {
        label = try answer.text("label")
        paymentHash = try answer.parsed("payment_hash") { try PaymentHash(hexadecimal: $0) }
        switch ExactText(try answer.text("status")) {
        case "unpaid": state = .unpaid
        case "expired": state = .expired
        case "paid": state = .paid(try Payment(of: paymentHash, answer))
        default: throw answer.fault("status")
        }
    }

    var status: PaymentStatus {
        switch state {
        case .unpaid: .open
        case .expired: .closed
        case .paid(let payment):
            .settled(at: payment.paidAt, received: payment.received, preimage: payment.preimage)
        }
    }
}

extension ListedInvoice.Payment {
    fileprivate init(of paymentHash: PaymentHash, _ answer: NodeAnswer) throws(BackendFault) {
        index = try answer.unsigned("pay_index")
        received = try answer.amount("amount_received_msat")
        paidAt = UnixTime(try answer.unsigned("paid_at"))
        preimage = try answer.parsed("payment_preimage") { try Preimage(hexadecimal: $0) }
        guard answer.has("local_offer_id") else {
            offered = nil
            return
        }
        let bytes = try answer.parsed("local_offer_id") { try Hexadecimal.decode($0) }
        guard let offer = OfferID(bytes) else { throw answer.fault("local_offer_id") }
        offered = OfferedPayment(
            offer: offer,
            payment: paymentHash,
            bolt12: try? answer.text("bolt12"),
            payerNote: try? answer.text("invreq_payer_note")
        )
    }
}

extension NodeAnswer {
    /// An amount in msat, which lightningd writes as a plain integer.
    func amount(_ key: String) throws(BackendFault) -> Millisatoshi {
        Millisatoshi(try unsigned(key))
    }

    /// An object member, if present.
    func optionalMember(_ key: String) throws(BackendFault) -> NodeAnswer? {
        has(key) ? try member(key) : nil
    }
}
