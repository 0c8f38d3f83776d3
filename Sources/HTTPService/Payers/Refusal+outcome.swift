import Contracts

extension Refusal {
    /// The outcome it counts as.
    var outcome: Outcome { cause == nil ? .refused : .failed }

    /// Whether the request itself was wrong, so that no invoice was ordered for it.
    var isAskersMistake: Bool {
        switch self {
        case .unknownAccount, .unknownVersion, .amountOutOfLimits, .amountNotWholeSatoshis, .commentTooLong, .payerData,
            .challenge, .unknownInvoice:
            true
        case .tooMany, .unavailable: false
        }
    }
}
