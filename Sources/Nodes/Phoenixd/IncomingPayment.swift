import LightningCoding
import LightningCrypto
import ResponderModel

/// An invoice or a payment (`json/JsonSerializers.kt`, `IncomingPayment`). phoenixd also returns the preimage of an
/// unpaid one; it is read only from a paid one, so it cannot leak earlier.
struct IncomingPayment: Sendable {
    let paymentHash: PaymentHash
    /// Whether the node itself considers it expired.
    let isExpired: Bool
    let receipt: Receipt?
    /// Whether it was made for an offer: there is no BOLT11 text then.
    let isOffered: Bool
    let payerNote: String?

    struct Receipt: Sendable {
        /// In milliseconds since 1970.
        let completedAt: UInt64
        let preimage: Preimage
        /// What was added to the wallet or to its fee credit, after deducting the price of liquidity bought for it.
        let received: Millisatoshi
    }

    init(_ answer: NodeAnswer) throws(BackendFault) {
        paymentHash = try answer.parsed("paymentHash") { try PaymentHash(hexadecimal: $0) }
        isExpired = try answer.flag("isExpired")
        // Null members are omitted.
        isOffered = !answer.has("invoice")
        payerNote = answer.has("payerNote") ? try answer.text("payerNote") : nil
        receipt = try answer.flag("isPaid") ? try Receipt(answer, of: paymentHash) : nil
    }

    /// The node decides what has expired, not our clock.
    var status: PaymentStatus {
        if let receipt {
            return .settled(
                at: UnixTime(receipt.completedAt / 1000), received: receipt.received, preimage: receipt.preimage)
        }
        return isExpired ? .closed : .open
    }
}

extension IncomingPayment.Receipt {
    fileprivate init(_ answer: NodeAnswer, of paymentHash: PaymentHash) throws(BackendFault) {
        completedAt = try answer.lenientNumber("completedAt")
        preimage = try answer.parsed("preimage") { try Preimage(hexadecimal: $0) }
        guard preimage.paymentHash == paymentHash else { throw answer.fault("preimage") }
        received = try answer.satoshi("receivedSat")
    }
}
