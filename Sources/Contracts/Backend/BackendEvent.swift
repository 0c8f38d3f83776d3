import LightningCoding

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
        /// The swap was agreed on.
        case created = "swap.created"
        /// Its time is over.
        case expired = "swap.expired"
        /// The invoice that the swap shall pay is known.
        case invoiceSet = "invoice.set"
        /// The swap service has paid the invoice.
        case invoicePaid = "invoice.paid"
        /// The swap service is paying the invoice.
        case invoicePending = "invoice.pending"
        /// The Lightning payment to the swap service is settled.
        case invoiceSettled = "invoice.settled"
        /// The swap service could not pay the invoice.
        case invoiceFailedToPay = "invoice.failedToPay"
        /// The invoice of the swap service expired before it was paid.
        case invoiceExpired = "invoice.expired"
        /// The invoice for the miner fee has been paid.
        case minerFeePaid = "minerfee.paid"
        /// The lockup of the swap service failed.
        case transactionFailed = "transaction.failed"
        /// The lockup transaction is known, and in no block yet.
        case transactionInMempool = "transaction.mempool"
        /// The swap service is about to claim what was locked up.
        case transactionClaimPending = "transaction.claim.pending"
        /// The swap service has claimed what was locked up.
        case transactionClaimed = "transaction.claimed"
        /// What the swap service had locked up went back to it.
        case transactionRefunded = "transaction.refunded"
        /// The lockup transaction is in a block.
        case transactionConfirmed = "transaction.confirmed"
        /// What was locked up is not what was agreed on.
        case transactionLockupFailed = "transaction.lockupFailed"
        /// The swap service wants the lockup transaction in a block first.
        case zeroConfirmationRejected = "transaction.zeroconf.rejected"
        /// The payment came on the chain directly, without a swap.
        case transactionDirect = "transaction.direct"
        /// The lockup transaction of the swap service is known, and in no block yet.
        case serverTransactionInMempool = "transaction.server.mempool"
        /// The lockup transaction of the swap service is in a block.
        case serverTransactionConfirmed = "transaction.server.confirmed"
    }

    /// Reads a status.
    public init(_ text: String) {
        self = Known(exactly: text).map(SwapStatus.known) ?? .other(text)
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
