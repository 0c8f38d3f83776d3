import LNURL
import LightningCoding
import Receiving
import Responding

extension Refusal {
    /// What the payer reads. Nothing in it comes from inside.
    var reason: String {
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
        case .unavailable(.noLimits), .unavailable(.backend(_, .nothingReceivable)):
            "Nothing can be received at the moment; please try again later"
        case .unavailable: "Temporarily unavailable; please try again later"
        }
    }

    /// How it counts.
    var outcome: Outcome {
        if case .unavailable = self { .failed } else { .refused }
    }

    /// What belongs into the log: only what failed inside, which holds no secrets.
    var cause: String? {
        if case .unavailable(let cause) = self { "\(cause)" } else { nil }
    }
}

extension CallbackFault {
    /// What the payer reads.
    var reason: String {
        switch self {
        case .bodyNotAnObject: "The body must be a JSON object"
        case .repeated(let parameter): "\(parameter.rawValue) is given more than once"
        case .malformed(let parameter): "\(parameter.rawValue) is of the wrong type"
        case .amountMissing: "amount is missing; it is the number of millisatoshis to pay"
        case .amountNotDigits: "amount must be a whole number of millisatoshis, in digits only"
        case .amountZero: "amount must be at least 1"
        case .amountTooLarge: "amount is too large"
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
