public import BlindedPaths
public import Bolt12

/// Why an invoice request gets no invoice.
public enum RequestRefusal: Error, Hashable, Sendable {
    /// The request breaks a rule of BOLT 12.
    case request(InvoiceRequestFault)
    /// The request is for no offer of this account, or for one that somebody has changed.
    case unknownOffer
    /// The offer has been switched off.
    case offerDisabled
    /// The offer has been paid as often as it may be.
    case offerExhausted
    /// The amount lies outside what can be received now.
    case amountOutOfLimits(ReceiveLimits)
    /// The node takes whole satoshis only.
    case amountNotWholeSatoshis
    /// The account's node cannot be paid over paths that are made here.
    case backendWithoutBolt12(BackendName)
    /// So many invoices of the account are open that no further one is made; trying again after some seconds may help.
    case tooMany(retryAfter: UInt64)
    /// It cannot be answered now.
    case unavailable(Refusal.Cause)
    /// The network does not know the account's node, and no peer of its forwards such a payment now.
    case nodeNotReachable
    /// The account's node does not know the newest blocks of its chain: what it makes could be too late already.
    case nodeBehind
    /// No payment path can be made of what the node says.
    case path(PaymentPathFault)
    /// The invoice cannot be made of what the node gave.
    case invoice(InvoiceFault)

    /// Whether nothing may be answered, not even an error, since that would tell whom the offer belongs to (BOLT 12,
    /// "Requirements for Invoice Requests").
    public var isSilent: Bool {
        switch self {
        case .request(let fault): fault.isToBeIgnored
        default: false
        }
    }

    /// Whether the same request may be answered a little later. Payers give up for good on an `invoice_error`, so that none is
    /// to be sent.
    public var isTransient: Bool {
        switch self {
        // A channel comes back, a peer too: nobody need change anything.
        case .unavailable(.noLimits), .unavailable(.backend(_, .nothingReceivable)): true
        case .unavailable(let cause): cause.isTransient
        case .tooMany, .nodeNotReachable, .nodeBehind: true
        default: false
        }
    }

    /// What belongs into the operator's log: only what failed inside, which holds no secrets.
    public var cause: String? {
        switch self {
        case .unavailable(let cause): cause.operatorReason
        case .path(let fault): "no payment path can be made of what the node says: \(fault.reason)"
        case .invoice: "no BOLT12 invoice can be made of what the node gave"
        case .nodeNotReachable: "the node is not public, and no peer of its forwards such a payment"
        case .nodeBehind: "the node has not caught up with its chain"
        case .backendWithoutBolt12(let name): "\(name) cannot be paid over paths that are made here"
        default: nil
        }
    }
}
