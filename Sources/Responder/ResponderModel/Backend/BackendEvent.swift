import LightningCoding

/// An event reported from outside that the node should act on.
package enum BackendEvent: Hashable, Sendable {
    /// A swap changed its status: the SHA-256 of its id in hexadecimal, or the id itself.
    case swapUpdated(id: String, SwapStatus)
    case addressTransactionsConfirmed(address: String)
    /// A transaction was confirmed, by its id as the sender wrote it.
    case transactionConfirmed(id: String)
}

/// The status of a swap, as the Boltz backend reports it for submarine, reverse and chain swaps alike.
package enum SwapStatus: Hashable, Sendable, CustomStringConvertible {
    case known(Known)
    case other(String)

    package enum Known: String, CaseIterable, Hashable, Sendable {
        case created = "swap.created"
        case expired = "swap.expired"
        /// The invoice that the swap is to pay is known.
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
        /// The lockup transaction is in the mempool.
        case transactionInMempool = "transaction.mempool"
        /// The swap service is about to claim the locked funds.
        case transactionClaimPending = "transaction.claim.pending"
        /// The swap service has claimed the locked funds.
        case transactionClaimed = "transaction.claimed"
        /// The swap service's locked funds were refunded to it.
        case transactionRefunded = "transaction.refunded"
        /// The lockup transaction is confirmed.
        case transactionConfirmed = "transaction.confirmed"
        /// The locked amount is not the agreed one.
        case transactionLockupFailed = "transaction.lockupFailed"
        /// The swap service waits for the lockup transaction to confirm.
        case zeroConfirmationRejected = "transaction.zeroconf.rejected"
        /// The payment was made on chain directly, without a swap.
        case transactionDirect = "transaction.direct"
        /// The lockup transaction of the swap service is in the mempool.
        case serverTransactionInMempool = "transaction.server.mempool"
        /// The lockup transaction of the swap service is confirmed.
        case serverTransactionConfirmed = "transaction.server.confirmed"
    }

    package init(_ text: String) {
        self = Known(exactly: text).map(SwapStatus.known) ?? .other(text)
    }

    package var description: String {
        switch self {
        case .known(let status): status.rawValue
        case .other(let text): text
        }
    }

    package enum Outlook: Hashable, Sendable {
        case underWay
        case arrived
        /// The owner must decide something first.
        case needsDecision
        /// It will not arrive this way.
        case failed
    }

    package var outlook: Outlook {
        guard case .known(let status) = self else { return .underWay }
        return switch status {
        case .invoiceSettled, .transactionClaimed, .transactionDirect: .arrived
        case .transactionLockupFailed: .needsDecision
        case .expired, .invoiceFailedToPay, .invoiceExpired, .transactionFailed, .transactionRefunded: .failed
        default: .underWay
        }
    }
}
