public import LNURL

/// Why a payer's request is refused, one case per reason.
///
/// `reason` is the text for the payer; an internal cause goes to the operator's log only.
public enum Refusal: Error, Hashable, Sendable {
    /// There is no such account.
    case unknownAccount
    /// The callback names a version of the account that never existed.
    case unknownVersion
    /// The amount is outside what can be received now.
    case amountOutOfLimits(ReceiveLimits)
    /// The node invoices whole satoshis only.
    case amountNotWholeSatoshis
    /// The comment is longer than the account allows.
    case commentTooLong(allowed: Int)
    /// The payer data breaks a rule of LUD-18.
    case payerData(PayerDataFault)
    /// The challenge in the payer data was not issued by us, is too old, or was used before.
    case challenge(ChallengeFault)
    /// No invoice with that hash was issued over LNURL for that name.
    case unknownInvoice
    /// The account has too many open invoices; a retry after that many seconds may help.
    case tooMany(retryAfter: UInt64)
    /// The recipient's own device, which answers for them, gave no answer.
    case device(DeviceRefusal)
    /// No answer is possible now; a retry may help when `Cause.isTransient`.
    case unavailable(Cause)

    /// The text for the operator's log: internal failures only, without secrets.
    public var cause: String? {
        if case .unavailable(let cause) = self { cause.operatorReason } else { nil }
    }

    /// What failed internally.
    public enum Cause: Error, Hashable, Sendable {
        /// The ledger failed.
        case ledger(LedgerFault)
        /// The backend failed.
        case backend(BackendName, BackendFault)
        /// The backend's invoice does not match the order.
        case inspection(BackendName, InspectionFault)
        /// The account names a backend that is not configured.
        case noBackend(BackendName)
        /// The account's limits and the node's do not overlap.
        case noLimits(BackendName)
        /// The response would break a rule of LNURL.
        case answer(LNURLFault)
        /// The account's success action breaks a rule.
        case successAction(SuccessActionFault)
        /// The system provided no random bytes.
        case randomness
        /// The deadline passed.
        case outOfTime

        /// Whether the same request may succeed a little later without anyone changing anything.
        public var isTransient: Bool {
            switch self {
            case .backend(_, let fault): fault.isTransient
            case .ledger, .randomness, .outOfTime: true
            case .inspection, .noBackend, .noLimits, .answer, .successAction: false
            }
        }
    }
}
