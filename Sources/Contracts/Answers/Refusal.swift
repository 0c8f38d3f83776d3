public import LNURL

/// Why a payer gets no answer to what they asked, one case per reason.
///
/// `reason` is what the payer may read; a cause inside is for the operator's log alone.
public enum Refusal: Error, Hashable, Sendable {
    /// Nobody of that name lives here.
    case unknownAccount
    /// The callback names a version of the account that never was.
    case unknownVersion
    /// The amount lies outside what can be received now.
    case amountOutOfLimits(ReceiveLimits)
    /// The node takes whole satoshis only.
    case amountNotWholeSatoshis
    /// The comment is longer than the account allows.
    case commentTooLong(allowed: Int)
    /// The payer data breaks a rule of LUD-18.
    case payerData(PayerDataFault)
    /// The challenge inside the payer data was not made by us, is too old, or was used before.
    case challenge(ChallengeFault)
    /// No invoice of that hash was given out over LNURL for that name.
    case unknownInvoice
    /// So many invoices of the account are open that no further one is made; trying again after some seconds may help.
    case tooMany(retryAfter: UInt64)
    /// It cannot be answered now; trying again may help when `Cause.isTransient`.
    case unavailable(Cause)

    /// What belongs into the operator's log: only what failed inside, which holds no secrets.
    public var cause: String? {
        if case .unavailable(let cause) = self { cause.operatorReason } else { nil }
    }

    /// What went wrong inside.
    public enum Cause: Error, Hashable, Sendable {
        /// The ledger failed.
        case ledger(LedgerFault)
        /// The backend failed.
        case backend(BackendName, BackendFault)
        /// The backend's invoice is not the one that was ordered.
        case inspection(BackendName, InspectionFault)
        /// The account names a backend that is not configured.
        case noBackend(BackendName)
        /// The account's own limits and the node's leave nothing in between.
        case noLimits(BackendName)
        /// The answer would break a rule of LNURL.
        case answer(LNURLFault)
        /// The account's success action breaks a rule.
        case successAction(SuccessActionFault)
        /// The system gave no random bytes.
        case randomness
        /// The time in which an answer is of use was up.
        case outOfTime

        /// Whether the same question may be answered a little later, without anybody changing anything.
        public var isTransient: Bool {
            switch self {
            case .backend(_, let fault): fault.isTransient
            case .ledger, .randomness, .outOfTime: true
            case .inspection, .noBackend, .noLimits, .answer, .successAction: false
            }
        }
    }
}
