package import Bolt11
package import Bolt12
package import LNURL
package import LightningCoding
import OutboundHTTP

/// Why a device's reply does not reach the payer.
package enum ReplyFault: Error, NamedRule, Hashable, Sendable {
    /// It is longer than `ReplyInspection.maximumCount` bytes, or its invoice than any is.
    case tooLarge
    /// It is not JSON: HTML, for instance.
    case json(JSONFault)
    /// The device refuses, for this reason.
    case refused(String)
    case answer(LNURLFault)
    /// Its callback is not the one that was asked.
    case callback
    /// Its text is not a BOLT11 invoice with a valid signature.
    case bolt11(Bolt11Fault)
    case network
    /// The invoice is for another amount, or for any.
    case amount
    /// The invoice commits neither to the metadata that the payer was shown nor to the zap request.
    case description
    case expired
    /// The invoice has another payment hash than the one that was asked.
    case paymentHash
    /// The preimage is not that of the payment hash, or the invoice is said to be paid without one.
    case preimage
    /// It has neither `invoice` nor `error`.
    case missingInvoice
    /// Its text is not a BOLT12 invoice, or it does not answer the request.
    case bolt12(InvoiceFault)
    case request(InvoiceRequestFault)
}

extension ReplyFault: ReadableFault {
    /// The text for the operator; holds nothing of the reply.
    package var reason: String {
        switch self {
        case .tooLarge: "the reply, or the invoice in it, is too long"
        case .json: "the reply is not JSON"
        case .refused: "the device refuses"
        case .answer(.wrongTag): "the reply has another tag"
        case .answer(.metadata): "the metadata in the reply breaks a rule"
        case .answer(let fault): "the reply: \(fault.reason)"
        case .callback: "the reply names another callback"
        case .bolt11(let fault): "the invoice: \(fault.reason)"
        case .network: "the invoice is for another network"
        case .amount: "the invoice is for another amount"
        case .description: "the invoice does not commit to what the payer was shown"
        case .expired: "the invoice has expired"
        case .paymentHash: "the invoice has another payment hash"
        case .preimage: "the invoice is said to be paid without its preimage"
        case .missingInvoice: "the reply has neither invoice nor error"
        case .bolt12(let fault): "the invoice: \(fault.reason)"
        case .request: "the request cannot be read"
        }
    }

    package var rule: String {
        switch self {
        case .answer(.refused): "refused"
        case .answer: "shape"
        default: caseName
        }
    }
}

/// What became of a question, for logs and metrics. Holds neither webhook nor reply id.
package enum DeviceEvent: Hashable, Sendable {
    /// The device is asked.
    case asked
    /// It has answered, after that time.
    case answered(after: Duration)
    /// Its reply breaks a rule, or refuses.
    case refused(ReplyFault)
    /// Its webhook has not taken the question.
    case unreachable(String)
    /// It has not answered in time.
    case silent
    /// A payer was turned away: too many wait, or too many questions to this device are open.
    case crowded
    /// A payer has closed the connection while it waited.
    case left

    /// The text for the operator; nil for what is as it should be.
    package var cause: String? {
        switch self {
        case .asked, .answered, .left: nil
        case .refused(let fault): fault.reason
        case .unreachable(let reason): "the webhook did not accept the question: \(reason)"
        case .silent: "the device has not answered in time"
        case .crowded: "too many payers are waiting"
        }
    }
}
