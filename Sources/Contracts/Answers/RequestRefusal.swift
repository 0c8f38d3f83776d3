public import BlindedPaths
public import Bolt12

/// Why an invoice request is refused.
public enum RequestRefusal: Error, Hashable, Sendable {
    /// The request breaks a rule of BOLT 12.
    case request(InvoiceRequestFault)
    /// The payer's note contains U+0000, which not every ledger can store.
    case zeroInNote
    /// The request is for no offer of this account, or for a modified one.
    case unknownOffer
    /// The offer is disabled.
    case offerDisabled
    /// The offer has reached its maximum number of payments.
    case offerExhausted
    /// The amount is outside what can be received now.
    case amountOutOfLimits(ReceiveLimits)
    /// The node invoices whole satoshis only.
    case amountNotWholeSatoshis
    /// The account's node cannot be paid over paths that are built here.
    case backendWithoutBolt12(BackendName)
    /// The account has too many open invoices; a retry after that many seconds may help.
    case tooMany(retryAfter: UInt64)
    /// The recipient's own device, which answers for them, gave no answer.
    case device(DeviceRefusal)
    /// No answer is possible now.
    case unavailable(Refusal.Cause)
    /// The account's node is not in the network graph, and none of its peers forwards such a payment now.
    case nodeNotReachable
    /// The account's node is not synced to its chain: its invoices might expire too early.
    case nodeBehind
    /// No payment path can be built from the node's information.
    case path(PaymentPathFault)
    /// The invoice cannot be built from the node's response.
    case invoice(InvoiceFault)

    /// Whether nothing may be sent, not even an error, since that would reveal whom the offer belongs to (BOLT 12,
    /// "Requirements for Invoice Requests").
    public var isSilent: Bool {
        switch self {
        case .request(let fault): fault.isToBeIgnored
        default: false
        }
    }

    /// Whether the same request may succeed a little later. Payers give up for good on an `invoice_error`, so none is
    /// sent.
    public var isTransient: Bool {
        switch self {
        // Channels and peers come back without anyone changing anything.
        case .unavailable(.noLimits), .unavailable(.backend(_, .nothingReceivable)): true
        case .unavailable(let cause): cause.isTransient
        case .tooMany, .nodeNotReachable, .nodeBehind: true
        case .device(.refused), .device(.unusable): false
        case .device: true
        default: false
        }
    }

    /// The text for the operator's log: internal failures only, without secrets.
    public var cause: String? {
        switch self {
        case .unavailable(let cause): cause.operatorReason
        case .path(let fault): "no payment path can be made of what the node says: \(fault.reason)"
        case .invoice: "no BOLT12 invoice can be made of what the node gave"
        case .nodeNotReachable: "the node is not public, and no peer of its forwards such a payment"
        case .nodeBehind: "the node is not synchronised with its chain"
        case .backendWithoutBolt12(let name): "\(name) cannot be paid over paths that are made here"
        default: nil
        }
    }
}
