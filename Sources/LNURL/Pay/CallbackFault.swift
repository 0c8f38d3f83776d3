/// Why a request for an invoice is refused (LUD-06, LUD-12, LUD-18, LUD-26, NIP-57).
public enum CallbackFault: Error, Hashable, Sendable {
    /// The body of a POST is not a JSON object.
    case bodyNotAnObject
    /// A parameter is repeated; its name.
    case repeated(Parameter)
    /// A parameter in the body of a POST has the wrong type; its name.
    case malformed(Parameter)
    /// A parameter contains U+0000, which not every ledger can store; its name.
    case zero(Parameter)
    /// There is no `amount`.
    case amountMissing
    /// `amount` contains anything but the digits 0 to 9.
    case amountNotDigits
    /// `amount` is 0.
    case amountZero
    /// `amount` is above 2^63-1.
    case amountTooLarge

    /// The defined parameters; all others are ignored.
    public enum Parameter: String, CaseIterable, Hashable, Sendable {
        /// The amount to pay, in msat (LUD-06).
        case amount
        /// The payer's comment (LUD-12).
        case comment
        /// Data about the payer (LUD-18).
        case payerData = "payerdata"
        /// A zap request (NIP-57).
        case nostr
    }
}
