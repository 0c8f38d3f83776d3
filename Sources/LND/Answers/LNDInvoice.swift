import LightningCoding
import LightningCrypto
import NodeHTTP
import Contracts

/// What LND says of an invoice (`lnrpc/lightning.proto`, `Invoice`). LND shows the preimage of an open one too; it is read of a
/// settled one only, and so cannot leave before.
struct LNDInvoice: Sendable {
    let paymentHash: PaymentHash
    let state: State
    /// When it was made, by the node's clock.
    let createdAt: UnixTime
    /// For how many seconds from then it can be paid.
    let expiry: UInt64

    enum State: Sendable {
        case open
        /// Payments for it are held, but it is not settled: parts are missing, or somebody else keeps the preimage.
        case accepted
        /// The node cancels what has expired too.
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
        createdAt = UnixTime(try answer.number("creation_date"))
        expiry = try answer.number("expiry")
        switch ExactText(try answer.text("state")) {
        case "OPEN": state = .open
        case "ACCEPTED": state = .accepted
        case "CANCELED": state = .cancelled
        case "SETTLED": state = .settled(try Payment(answer, of: paymentHash))
        default: throw answer.fault("state")
        }
    }

    /// Where its payment stands. A cancelled invoice whose time is over counts as expired: LND does not tell which of both it was.
    /// An open one is open, whatever our clock says: LND takes its payment until it has cancelled it.
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
        index = try answer.number("settle_index")
        preimage = try answer.parsed("r_preimage") { try Preimage(try Base64.decode($0)) }
        guard preimage.paymentHash == paymentHash else { throw answer.fault("r_preimage") }
        received = try answer.millisatoshi("amt_paid_msat")
        settledAt = UnixTime(try answer.number("settle_date"))
    }
}
