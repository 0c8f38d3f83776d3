import LNURL
import LightningCoding
import Contracts

extension Refusal {
    /// What the payer reads when the question came by a notification: the words that wallets know from there.
    ///
    /// - Parameter amount: what was asked for, in msat.
    func notifiedReason(for amount: Millisatoshi?) -> String {
        switch self {
        case .amountOutOfLimits, .amountNotWholeSatoshis: "Invalid amount requested \(amount?.msat ?? 0)"
        case .commentTooLong: "Comment is too long"
        case .unavailable(.noLimits): "Minimum sendable amount is invalid"
        default: reason
        }
    }

    /// The error of the LNURL family.
    func notifiedReply(for amount: Millisatoshi? = nil) -> Reply {
        let retryAfter: UInt64? = if case .tooMany(let seconds) = self { seconds } else { nil }
        return Reply(
            ErrorResponse(reason: notifiedReason(for: amount)).json, retryAfter: retryAfter, isError: true)
    }
}
