/// What somebody outside says has happened to a node's money, for the node to look after.
public enum BackendEvent: Hashable, Sendable {
    /// A swap has moved on: the SHA-256 of its id in hexadecimal, or the id itself, and its status.
    case swapUpdated(id: String, SwapStatus)
    /// Transactions to an address have been confirmed.
    case addressTransactionsConfirmed(address: String)
    /// A transaction has been confirmed, by its id as the sender wrote it.
    case transactionConfirmed(id: String)
}

/// Where a swap stands, as the Boltz backend tells it of submarine, reverse and chain swaps alike.
public enum SwapStatus: Hashable, Sendable, CustomStringConvertible {
    /// One of the statuses that are known.
    case known(Known)
    /// A status that is not known here.
    case other(String)

    /// The statuses that are known.
    public enum Known: String, CaseIterable, Hashable, Sendable {
        case created = "swap.created"
        case expired = "swap.expired"
        case invoiceSet = "invoice.set"
        case invoicePaid = "invoice.paid"
        case invoicePending = "invoice.pending"
        case invoiceSettled = "invoice.settled"
        case invoiceFailedToPay = "invoice.failedToPay"
        case invoiceExpired = "invoice.expired"
        case minerFeePaid = "minerfee.paid"
        case transactionFailed = "transaction.failed"
        case transactionInMempool = "transaction.mempool"
        case transactionClaimPending = "transaction.claim.pending"
        case transactionClaimed = "transaction.claimed"
        case transactionRefunded = "transaction.refunded"
        case transactionConfirmed = "transaction.confirmed"
        case transactionLockupFailed = "transaction.lockupFailed"
        case zeroConfirmationRejected = "transaction.zeroconf.rejected"
        case transactionDirect = "transaction.direct"
        case serverTransactionInMempool = "transaction.server.mempool"
        case serverTransactionConfirmed = "transaction.server.confirmed"
    }

    /// Reads a status.
    public init(_ text: String) {
        self = Known(rawValue: text).map(SwapStatus.known) ?? .other(text)
    }

    /// The status as it was written.
    public var description: String {
        switch self {
        case .known(let status): status.rawValue
        case .other(let text): text
        }
    }

    /// What a status means for whoever waits for the money.
    public enum Outlook: Hashable, Sendable {
        /// It is on its way.
        case underWay
        /// It is there.
        case arrived
        /// The owner must decide something first.
        case needsDecision
        /// It will not come this way.
        case failed
    }

    /// What the status means for whoever waits for the money.
    public var outlook: Outlook {
        guard case .known(let status) = self else { return .underWay }
        return switch status {
        case .invoiceSettled, .transactionClaimed, .transactionDirect: .arrived
        case .transactionLockupFailed: .needsDecision
        case .expired, .invoiceFailedToPay, .invoiceExpired, .transactionFailed, .transactionRefunded: .failed
        default: .underWay
        }
    }
}
