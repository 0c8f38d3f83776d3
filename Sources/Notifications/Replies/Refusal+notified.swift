import LNURL
import LightningCoding
import Contracts

extension Refusal {
    /// The text for a payer whose request came by a notification, in the wording that wallets know from there.
    ///
    /// - Parameter amount: the requested amount, in msat.
    func notifiedReason(for amount: Millisatoshi?) -> String {
        switch self {
        case .amountOutOfLimits, .amountNotWholeSatoshis: "Invalid amount requested \(amount?.msat ?? 0)"
        case .commentTooLong: "Comment is too long"
        case .unavailable(.noLimits): "Minimum sendable amount is invalid"
        default: reason
        }
    }

    /// The LNURL error.
    func notifiedReply(for amount: Millisatoshi? = nil) -> Reply {
        let retryAfter: UInt64? = if case .tooMany(let seconds) = self { seconds } else { nil }
        return Reply(
            ErrorResponse(reason: notifiedReason(for: amount)).json, retryAfter: retryAfter, isError: true)
    }
}
