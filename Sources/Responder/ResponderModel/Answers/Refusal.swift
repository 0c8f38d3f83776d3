package import BlindedPaths
package import Bolt12
package import LNURL
import LightningCoding

/// Why a payer's request is refused, one case per reason.
///
/// `reason` is the text for the payer; an internal cause goes to the operator's log only.
package enum Refusal: LedgerFaultConvertible, Hashable, Sendable {
    case unknownAccount
    /// The callback names a version of the account that never existed.
    case unknownVersion
    case amountOutOfLimits(ReceiveLimits)
    /// The node invoices whole satoshis only.
    case amountNotWholeSatoshis
    case commentTooLong(allowed: Int)
    case payerData(PayerDataFault)
    /// The challenge in the payer data was not issued by us, is too old, or was used before.
    case challenge(ChallengeFault)
    case unknownInvoice
    /// The account has too many open invoices; a retry after that many seconds may help.
    case tooMany(retryAfter: UInt64)
    /// The recipient's own device, which answers for them, gave no answer.
    case device(DeviceRefusal)
    /// No answer is possible now; a retry may help when `Cause.isTransient`.
    case unavailable(Cause)

    package static func ledger(_ fault: LedgerFault) -> Refusal { .unavailable(.ledger(fault)) }

    /// The text for the operator's log: internal failures only, without secrets.
    package var cause: String? {
        if case .unavailable(let cause) = self { cause.operatorReason } else { nil }
    }

    /// What failed internally.
    package enum Cause: LedgerFaultConvertible, Hashable, Sendable {
        case ledger(LedgerFault)
        case backend(BackendName, BackendFault)
        case inspection(BackendName, InspectionFault)
        case noBackend(BackendName)
        /// The account's limits and the node's do not overlap.
        case noLimits(BackendName)
        case answer(LNURLFault)
        case successAction(SuccessActionFault)
        /// The account's node is not in the network graph, and none of its peers forwards such a payment now.
        case nodeNotReachable
        /// The account's node is not synced to its chain: its invoices might expire too early.
        case nodeBehind
        case path(PaymentPathFault)
        case bolt12(InvoiceFault)
        /// The system provided no random bytes.
        case randomness
        case outOfTime

        /// Whether the same request may succeed a little later without anyone changing anything.
        package var isTransient: Bool {
            switch self {
            case .backend(_, let fault): fault.isTransient
            case .ledger, .nodeNotReachable, .nodeBehind, .randomness, .outOfTime: true
            case .inspection, .noBackend, .noLimits, .answer, .successAction, .path, .bolt12: false
            }
        }
    }
}

extension Refusal {
    /// The text for the payer. It reveals nothing internal.
    package var reason: String {
        switch self {
        case .unknownAccount: "No such Lightning address"
        case .unknownVersion: "This payment link is out of date; ask for the address again"
        case .amountOutOfLimits(let limits):
            "The amount must be between \(limits.minimum.msat) and \(limits.maximum.msat) msat"
        case .amountNotWholeSatoshis: "The amount must be a multiple of 1000 msat"
        case .commentTooLong(allowed: 0): "Comments are not accepted"
        case .commentTooLong(let allowed): "The comment has more than \(allowed) characters"
        case .payerData(let fault): fault.reason
        case .challenge(let fault): fault.reason
        case .unknownInvoice: "Not found"
        case .tooMany: "Too many unpaid invoices for this address; please try again later"
        case .device(let refusal): refusal.reason
        case .unavailable(let cause): cause.reason
        }
    }

}

extension Refusal.Cause {
    /// The text for the payer: whether a retry may help, not what happened.
    var reason: String {
        switch self {
        case .noLimits, .backend(_, .nothingReceivable):
            "Nothing can be received at the moment; please try again later"
        case .backend(_, .amountNotPossible): "This amount cannot be received here"
        default:
            isTransient ? "Temporarily unavailable; please try again later" : "No invoice can be made for this payment"
        }
    }
}

extension PayerDataFault {
    fileprivate var reason: String {
        switch self {
        case .tooLong: "payerdata is too long"
        case .json, .notAnObject: "payerdata must be a JSON object"
        case .malformed(let field): "payerdata: \(field.rawValue) is malformed"
        case .badSignature: "payerdata: auth has a bad signature"
        case .missing(let field): "payerdata: \(field.rawValue) is missing, and it is mandatory"
        }
    }
}

extension ChallengeFault {
    fileprivate var reason: String {
        switch self {
        case .malformed: "payerdata: auth has a malformed k1"
        case .forged: "payerdata: auth has a k1 that is not from here"
        case .expired: "payerdata: auth has a k1 that has expired; ask for the address again"
        case .used: "payerdata: auth has a k1 that was used before; ask for the address again"
        }
    }
}

extension Refusal.Cause {
    /// The text for the operator, with the internal cause. The payer reads `reason`.
    package var operatorReason: String {
        switch self {
        case .ledger(let fault): fault.reason
        case .backend(let name, let fault): "\(name): \(fault.reason)"
        case .inspection(let name, let fault):
            "\(name) returned an invoice that does not match the order: \(fault.reason)"
        case .noBackend(let name): "no node is called \(name)"
        case .noLimits(let name): "the limits of the account and of \(name) exclude each other"
        case .answer(let fault): "the answer would break a rule of LNURL: \(fault.reason)"
        case .successAction(let fault): "the success action breaks a rule: \(fault.reason)"
        case .nodeNotReachable: "the node is not public, and no peer of its forwards such a payment"
        case .nodeBehind: "the node is not synchronized with its chain"
        case .path(let fault): "no payment path can be made of what the node says: \(fault.reason)"
        case .bolt12: "no BOLT12 invoice can be made of what the node gave"
        case .randomness: "the system has no random bytes"
        case .outOfTime: "out of time"
        }
    }
}

/// Why the device of an app user gave no answer for its payer.
package enum DeviceRefusal: Error, Hashable, Sendable {
    /// It did not answer in time.
    case silent
    /// What wakes it did not take the question.
    case unreachable
    case unusable
    /// It refuses, with that text for the payer; empty when it gives none.
    case refused(String)
    case busy
    case full
    case stopping
    case left

    /// Seconds after which a retry may help; nil when unknown.
    package var retryAfter: UInt64? {
        switch self {
        case .busy, .stopping: 5
        case .full: 30
        case .silent, .unreachable, .unusable, .refused, .left: nil
        }
    }

    /// The text for the payer: what happened, and what to do.
    package var reason: String {
        switch self {
        case .silent: "The recipient's wallet does not answer; ask the recipient to open it, then try again"
        case .unreachable: "The recipient's wallet cannot be reached; ask the recipient to open it, then try again"
        case .unusable: "The recipient's wallet gave an answer that cannot be used; ask the recipient to update it"
        case .refused(let reason): reason.isEmpty ? "The recipient's wallet refuses this payment" : reason
        case .busy: "The recipient's wallet is busy with other payments; please try again in a few seconds"
        case .full: "Too many payers are waiting here; please try again in half a minute"
        case .stopping: "The service is restarting; please try again in a few seconds"
        case .left: "The connection was closed before the recipient's wallet had answered; please try again"
        }
    }
}
