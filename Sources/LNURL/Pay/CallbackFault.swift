/// Why the question for an invoice is refused (LUD-06, LUD-12, LUD-18, LUD-26).
public enum CallbackFault: Error, Hashable, Sendable {
    /// The body of a POST is no JSON object.
    case bodyNotAnObject
    /// A parameter is given twice; its name.
    case repeated(Parameter)
    /// A parameter in the body of a POST is of another type; its name.
    case malformed(Parameter)
    /// There is no `amount`.
    case amountMissing
    /// `amount` holds something other than the digits 0 to 9.
    case amountNotDigits
    /// `amount` is 0.
    case amountZero
    /// `amount` is above 2^63-1.
    case amountTooLarge

    /// The parameters that have a meaning; all others are passed over.
    public enum Parameter: String, CaseIterable, Hashable, Sendable {
        /// What is to be paid, in msat (LUD-06).
        case amount
        /// What the payer says (LUD-12).
        case comment
        /// Who the payer is (LUD-18).
        case payerData = "payerdata"
    }
}
