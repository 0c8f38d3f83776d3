import Bolt12
import LightningCoding
import LightningCrypto
import Receiving

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

    /// What is known of a payment; lightningd shows the preimage of nothing else.
    struct Payment: Sendable {
        /// Its place among all payments that the node has received, from 1.
        let index: UInt64
        let received: Millisatoshi
        let paidAt: UnixTime
        let preimage: Preimage
        /// The node's own offer that was paid.
        let offered: OfferedPayment?
    }

    init(_ answer: JSONValue) throws(CommandFault) {
        let reader = AnswerReader(answer)
        label = try reader.text("label")
        paymentHash = try reader.parsed("payment_hash") { try PaymentHash(hexadecimal: $0) }
        switch try reader.text("status") {
        case "unpaid": state = .unpaid
        case "expired": state = .expired
        case "paid": state = .paid(try Payment(of: paymentHash, reader))
        default: throw .malformed("status")
        }
    }

    /// Where its payment stands, as everybody above understands it.
    var status: PaymentStatus {
        switch state {
        case .unpaid: .open
        case .expired: .expired
        case .paid(let payment):
            .settled(at: payment.paidAt, received: payment.received, preimage: payment.preimage)
        }
    }
}

extension ListedInvoice.Payment {
    fileprivate init(of paymentHash: PaymentHash, _ reader: AnswerReader) throws(CommandFault) {
        index = try reader.number("pay_index")
        received = try reader.amount("amount_received_msat")
        paidAt = UnixTime(try reader.number("paid_at"))
        preimage = try reader.parsed("payment_preimage") { try Preimage(hexadecimal: $0) }
        guard reader.has("local_offer_id") else {
            offered = nil
            return
        }
        let bytes = try reader.parsed("local_offer_id") { try Hexadecimal.decode($0) }
        guard let offer = OfferID(bytes) else { throw .malformed("local_offer_id") }
        let invoice = (try? reader.text("bolt12")).flatMap { try? Invoice($0) }
        offered = OfferedPayment(
            offer: offer,
            invoice: invoice?.paymentHash == paymentHash ? invoice : nil,
            payerNote: try? reader.text("invreq_payer_note")
        )
    }
}
