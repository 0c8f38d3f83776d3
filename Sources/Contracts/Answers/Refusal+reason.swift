import LNURL
import LightningCoding

extension Refusal {
    /// The text for the payer. It reveals nothing internal.
    public var reason: String {
        switch self {
        case .unknownAccount: "Nobody of that name can be paid here"
        case .unknownVersion: "This payment link is out of date; ask for the address again"
        case .amountOutOfLimits(let limits):
            "The amount must be between \(limits.minimum.msat) and \(limits.maximum.msat) msat"
        case .amountNotWholeSatoshis: "The amount must be a multiple of 1000 msat"
        case .commentTooLong(allowed: 0): "Comments are not taken here"
        case .commentTooLong(let allowed): "The comment has more than \(allowed) characters"
        case .payerData(let fault): fault.reason
        case .challenge(let fault): fault.reason
        case .unknownInvoice: "Not found"
        case .tooMany: "Too many payments are being waited for; please try again later"
        case .device(let refusal): refusal.reason
        case .unavailable(let cause): cause.reason
        }
    }

}

extension Refusal.Cause {
    /// The text for the payer: whether a retry may help, not what happened.
    var reason: String {
        switch self {
        case .noLimits, .backend(_, .nothingReceivable):
            "Nothing can be received at the moment; please try again later"
        case .backend(_, .amountNotPossible): "This amount cannot be received here"
        default:
            isTransient ? "Temporarily unavailable; please try again later" : "No invoice can be made for this payment"
        }
    }
}

extension PayerDataFault {
    fileprivate var reason: String {
        switch self {
        case .tooLong: "payerdata is too long"
        case .json, .notAnObject: "payerdata must be a JSON object"
        case .malformed(let field): "payerdata: \(field.rawValue) is malformed"
        case .badSignature: "payerdata: auth has a bad signature"
        case .missing(let field): "payerdata: \(field.rawValue) is missing, and it is mandatory"
        }
    }
}

extension ChallengeFault {
    fileprivate var reason: String {
        switch self {
        case .malformed: "payerdata: auth has a malformed k1"
        case .forged: "payerdata: auth has a k1 that is not from here"
        case .expired: "payerdata: auth has a k1 that has expired; ask for the address again"
        case .used: "payerdata: auth has a k1 that was used before; ask for the address again"
        }
    }
}
