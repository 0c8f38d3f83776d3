import LightningCoding
import LightningCrypto
import ResponderModel

/// An invoice (`lnrpc/lightning.proto`, `Invoice`). LND also returns the preimage of an open one; it is read only from
/// a settled one, so it cannot leak earlier.
struct LNDInvoice: Sendable {
    let paymentHash: PaymentHash
    let state: State

    enum State: Sendable {
        case open
        /// Canceled, as the node does with expired invoices, too.
        case canceled
        case settled(Payment)
    }

    struct Payment: Sendable {
        let index: UInt64
        let preimage: Preimage
        let received: Millisatoshi
        let settledAt: UnixTime
    }

    init(_ answer: NodeAnswer) throws(BackendFault) {
        paymentHash = try answer.parsed("r_hash") { try PaymentHash(try Base64.decode($0)) }
        switch ExactText(try answer.text("state")) {
        // Payments for an accepted one are held but not settled: parts are missing, or someone else has the preimage.
        case "OPEN", "ACCEPTED": state = .open
        case "CANCELED": state = .canceled
        case "SETTLED": state = .settled(try Payment(answer, of: paymentHash))
        default: throw answer.fault("state")
        }
    }

    /// The state of its payment. An open one is open whatever any clock says: LND accepts its payment until it has
    /// canceled it.
    var status: PaymentStatus {
        switch state {
        case .settled(let payment):
            .settled(at: payment.settledAt, received: payment.received, preimage: payment.preimage)
        case .open: .open
        case .canceled: .closed
        }
    }
}

extension LNDInvoice.Payment {
    fileprivate init(_ answer: NodeAnswer, of paymentHash: PaymentHash) throws(BackendFault) {
        index = try answer.lenientNumber("settle_index")
        preimage = try answer.parsed("r_preimage") { try Preimage(try Base64.decode($0)) }
        guard preimage.paymentHash == paymentHash else { throw answer.fault("r_preimage") }
        received = try answer.millisatoshi("amt_paid_msat")
        settledAt = UnixTime(try answer.lenientNumber("settle_date"))
    }
}
