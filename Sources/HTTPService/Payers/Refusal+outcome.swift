import Contracts
import LNURL

extension Refusal {
    /// The outcome it counts as.
    var outcome: Outcome { cause == nil ? .refused : .failed }

    /// Whether the request itself was wrong, so that no invoice was ordered for it.
    var isAskersMistake: Bool {
        switch self {
        // Of several who answer one challenge at once all but one learn this after the node has made their invoices.
        case .challenge(.used): false
        case .unknownAccount, .unknownVersion, .amountOutOfLimits, .amountNotWholeSatoshis, .commentTooLong, .payerData,
            .challenge, .unknownInvoice:
            true
        case .tooMany, .device, .unavailable: false
        }
    }
}
