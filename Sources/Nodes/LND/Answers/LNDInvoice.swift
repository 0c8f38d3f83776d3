import LightningCoding
import LightningCrypto
import NodeCalls
import ResponderModel

/// An invoice (`lnrpc/lightning.proto`, `Invoice`). LND also returns the preimage of an open one; it is read only from
/// a settled one, so it cannot leak earlier.
struct LNDInvoice: Sendable {
    let paymentHash: PaymentHash
    let state: State
    /// When it was made, by the node's clock.
    let createdAt: UnixTime
    /// How long it can be paid from then, in seconds.
    let expiry: UInt64

    enum State: Sendable {
        case open
        /// Payments for it are held but not settled: parts are missing, or someone else has the preimage.
        case accepted
        /// The node also cancels expired invoices.
        case cancelled
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
        createdAt = UnixTime(try answer.lenientNumber("creation_date"))
        expiry = try answer.lenientNumber("expiry")
        switch ExactText(try answer.text("state")) {
        case "OPEN": state = .open
        case "ACCEPTED": state = .accepted
        case "CANCELED": state = .cancelled
        case "SETTLED": state = .settled(try Payment(answer, of: paymentHash))
        default: throw answer.fault("state")
        }
    }

    /// The state of its payment. A cancelled invoice past its expiry counts as expired: LND does not tell the two
    /// apart. An open one is open whatever our clock says: LND accepts its payment until it has cancelled it.
    func status(at now: UnixTime) -> PaymentStatus {
        let isOver = now >= createdAt.adding(seconds: expiry)
        return switch state {
        case .settled(let payment):
            .settled(at: payment.settledAt, received: payment.received, preimage: payment.preimage)
        case .accepted, .open: .open
        case .cancelled: isOver ? .expired : .cancelled
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
