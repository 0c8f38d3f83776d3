import LightningCoding
import LightningCrypto

/// What may be asked of a callback.
struct InvoiceOrder: Sendable {
    let callback: HTTPURL
    private let minimum: UInt64
    /// Whether that is what the service says; it must not say 0.
    private let isMinimumStated: Bool
    private let maximum: UInt64
    let commentAllowed: Int
    let payer: PayerDraft
    /// A usual amount within the limits, in msat: a whole sat when there is one.
    let amount: UInt64

    /// - Throws: why nothing can be requested.
    init(_ evidence: Evidence, answer: EvidenceSource, key: SecretKey) throws(Skipped) {
        callback = try answer.callback()
        guard evidence.mayAsk(callback) else { throw Skipped("the callback is not a URL that may be asked") }
        (minimum, maximum) = try answer.limits()
        isMinimumStated = try answer.number("minSendable") == minimum
        commentAllowed = Int(clamping: answer.commentAllowed ?? 0)
        payer = try PayerDraft(answer, key: key)
        let wanted = max(minimum, min(maximum, 21_000))
        let whole = wanted.addingReportingOverflow(999)
        let rounded = whole.overflow ? wanted : whole.partialValue / 1000 * 1000
        amount = rounded <= maximum ? rounded : wanted
    }

    /// The values of `amount` in the request of a probe.
    func amounts(of probe: Probe) throws(Skipped) -> [String] {
        switch probe {
        case .amountOdd:
            guard let odd = [amount &+ 1, amount &- 1].first(where: { isAllowed($0) && $0 % 1000 != 0 }) else {
                throw Skipped("the limits leave no such amount")
            }
            return ["\(odd)"]
        case .amountMinimum:
            guard isMinimumStated else { throw Skipped("minSendable is less than 1") }
            return ["\(minimum)"]
        case .amountMaximum: return ["\(maximum)"]
        case .amountBelowMinimum:
            guard minimum > 1 else { throw Skipped("minSendable is 1") }
            return ["\(minimum - 1)"]
        case .amountAboveMaximum:
            guard maximum < .max else { throw Skipped("maxSendable is the greatest number") }
            return ["\(maximum + 1)"]
        case .amountZero: return ["0"]
        case .amountNegative: return ["-\(amount)"]
        case .amountExponent:
            let digits = String(amount)
            let zeros = digits.reversed().prefix { $0 == "0" }.count
            return ["\(digits.dropLast(zeros))e\(zeros)"]
        case .amountFraction: return ["\(amount).5"]
        case .amountHexadecimal: return ["0x" + String(amount, radix: 16)]
        case .amountSign: return ["+\(amount)"]
        case .amountSpace: return [" \(amount)"]
        case .amountHuge: return ["18446744073709551617000"]
        case .amountEmpty: return [""]
        case .amountMissing: return []
        case .amountRepeated:
            guard let other = [amount &+ 1000, amount &- 1000].first(where: isAllowed) else {
                throw Skipped("the limits leave only one amount")
            }
            return ["\(amount)", "\(other)"]
        default: return ["\(amount)"]
        }
    }

    /// A comment as long as is allowed, and a little more.
    func comment(of character: Character, beyond more: Int = 0) throws(Skipped) -> String {
        guard commentAllowed > 0 else { throw Skipped("no comment is allowed") }
        let comment = String(repeating: character, count: min(commentAllowed, 4000) + more)
        guard PercentEncoding.encode(comment).utf8.count <= 4000 else {
            throw Skipped("such a comment does not fit into a URL")
        }
        return comment
    }

    private func isAllowed(_ amount: UInt64) -> Bool { (minimum...maximum).contains(amount) }
}
