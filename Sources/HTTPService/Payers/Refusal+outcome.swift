import Contracts

extension Refusal {
    /// How it counts.
    var outcome: Outcome { cause == nil ? .refused : .failed }

    /// Whether the question itself was wrong, so that no invoice was ordered for it.
    var isAskersMistake: Bool {
        switch self {
        case .unknownAccount, .unknownVersion, .amountOutOfLimits, .amountNotWholeSatoshis, .commentTooLong, .payerData,
            .challenge, .unknownInvoice:
            true
        case .tooMany, .unavailable: false
        }
    }
}
