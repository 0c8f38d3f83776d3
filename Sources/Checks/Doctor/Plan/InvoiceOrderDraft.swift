import LightningCoding
import LightningCrypto

struct InvoiceOrderDraft: Sendable {
    let callback: HTTPURL
    let minimum: UInt64
    /// Whether that is what the service says; it must not say 0.
    let isMinimumStated: Bool
    let maximum: UInt64
    let commentAllowed: Int
    let payer: PayerDraft
    /// A usual amount within the limits, in msat: a whole sat when there is one.
    let amount: UInt64

    /// Reads a first answer.
    ///
    /// - Throws: why nothing can be requested.
    init(_ evidence: Evidence, answer: EvidenceSource, key: SecretKey) throws(ServiceCheck.Skipped) {
        callback = try answer.callback()
        guard evidence.mayAsk(callback) else {
            throw ServiceCheck.Skipped("the callback is not a URL that may be asked")
        }
        (minimum, maximum) = try answer.limits()
        isMinimumStated = try answer.number("minSendable") == minimum
        commentAllowed = Int(clamping: answer.commentAllowed ?? 0)
        payer = try PayerDraft(answer, key: key)
        let wanted = max(minimum, min(maximum, 21_000))
        let whole = wanted.addingReportingOverflow(999)
        let rounded = whole.overflow ? wanted : whole.partialValue / 1000 * 1000
        amount = rounded <= maximum ? rounded : wanted
    }

    /// An amount within the limits that is not a whole sat.
    var oddAmount: UInt64? { [amount &+ 1, amount &- 1].first { isAllowed($0) && $0 % 1000 != 0 } }

    /// Another amount within the limits, in whole sats.
    var otherAmount: UInt64? { [amount &+ 1000, amount &- 1000].first { isAllowed($0) && $0 != amount } }

    private func isAllowed(_ amount: UInt64) -> Bool { (minimum...maximum).contains(amount) }
}
