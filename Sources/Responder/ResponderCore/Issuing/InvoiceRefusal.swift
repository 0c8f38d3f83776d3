import LNURL
import LightningCoding
import ResponderModel

/// Why no invoice is issued, in the protocol of the request.
protocol InvoiceRefusal: Error {
    /// No answer is possible now, for that cause.
    static func unavailable(_ cause: Refusal.Cause) -> Self
    init(_ refusal: Refusal)
    init(recording fault: LedgerFault)
}

extension Refusal: InvoiceRefusal {
    init(_ refusal: Refusal) { self = refusal }

    init(recording fault: LedgerFault) {
        self = fault == .challengeUsed ? .challenge(.used) : .unavailable(.ledger(fault))
    }
}

extension RequestRefusal: InvoiceRefusal {
    init(_ refusal: Refusal) {
        self =
            switch refusal {
            case .amountOutOfLimits(let limits): .amountOutOfLimits(limits)
            case .amountNotWholeSatoshis: .amountNotWholeSatoshis
            case .tooMany(let seconds): .tooMany(retryAfter: seconds)
            case .unavailable(let cause): .unavailable(cause)
            default: .unknownOffer
            }
    }

    init(recording fault: LedgerFault) {
        self =
            switch fault {
            case .offerDisabled: .offerDisabled
            case .offerExhausted: .offerExhausted
            case .unknownOffer: .unknownOffer
            default: .unavailable(.ledger(fault))
            }
    }
}
