import LightningCoding

/// A way to write the amount, and whether a service must refuse it.
struct AmountForm: Sendable {
    let probe: Probe
    /// The values of `amount`; nil when this service has none of that kind.
    let values: @Sendable (InvoiceOrderDraft) -> [String]?
    /// Why there is none.
    let reasonWithout: String
    /// What is refused, for the check's subject; nil when such an amount is to be accepted, which has a check of its own.
    let refused: String?

    private init(
        _ probe: Probe, refused: String?, without reason: String = "",
        _ values: @escaping @Sendable (InvoiceOrderDraft) -> [String]?
    ) {
        self.probe = probe
        self.refused = refused
        reasonWithout = reason
        self.values = values
    }

    static let all = [
        AmountForm(.amountOdd, refused: nil, without: "the limits leave no such amount") {
            $0.oddAmount.map { ["\($0)"] }
        },
        AmountForm(.amountMinimum, refused: nil, without: "minSendable is less than 1") {
            $0.isMinimumStated ? ["\($0.minimum)"] : nil
        },
        AmountForm(.amountMaximum, refused: nil) { ["\($0.maximum)"] },
        AmountForm(.amountBelowMinimum, refused: "minSendable - 1", without: "minSendable is 1") {
            $0.minimum > 1 ? ["\($0.minimum - 1)"] : nil
        },
        AmountForm(.amountAboveMaximum, refused: "maxSendable + 1", without: "maxSendable is the greatest number") {
            let (above, overflow) = $0.maximum.addingReportingOverflow(1)
            return overflow ? nil : ["\(above)"]
        },
        AmountForm(.amountZero, refused: "0") { _ in ["0"] },
        AmountForm(.amountNegative, refused: "a negative number") { ["-\($0.amount)"] },
        AmountForm(.amountExponent, refused: "an exponent, such as 1e3,") { order in
            var digits = String(order.amount)
            var zeros = 0
            while digits.hasSuffix("0") {
                digits.removeLast()
                zeros += 1
            }
            return ["\(digits)e\(zeros)"]
        },
        AmountForm(.amountFraction, refused: "a fraction, such as 1000.5,") { ["\($0.amount).5"] },
        AmountForm(.amountHexadecimal, refused: "hexadecimal, such as 0x3e8,") {
            ["0x" + String($0.amount, radix: 16)]
        },
        AmountForm(.amountSign, refused: "+1000") { ["+\($0.amount)"] },
        AmountForm(.amountSpace, refused: "a number behind a space") { [" \($0.amount)"] },
        AmountForm(.amountHuge, refused: "more than 2^64") { _ in ["18446744073709551617000"] },
        AmountForm(.amountEmpty, refused: "an empty text") { _ in [""] },
        AmountForm(.amountMissing, refused: "a missing number") { _ in [] },
        AmountForm(.amountRepeated, refused: "a second number", without: "the limits leave only one amount") { order in
            order.otherAmount.map { ["\(order.amount)", "\($0)"] }
        },
    ]
}
