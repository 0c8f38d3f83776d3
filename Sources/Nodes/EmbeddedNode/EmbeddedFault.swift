package import ResponderModel

/// Why an embedded node did not start.
package enum EmbeddedFault: LedgerFaultConvertible, Hashable, Sendable {
    /// The network is mainnet, where nobody could pay its invoices, without explicit permission.
    case mainnetNotAllowed
    /// The minimum amount is zero, or above the maximum.
    case emptyLimits
    /// There is no database at this path, and none is to be created.
    case databaseMissing(String)
    case ledger(LedgerFault)
}

/// Why a payment was not simulated.
package enum SettleFault: Error, Hashable, Sendable {
    /// The node has made no invoice with that hash.
    case unknown
    /// It has been paid before.
    case alreadySettled
    case cancelled
    case expired
    /// Less than the invoice's amount, or more than twice as much: a node rejects such a payment (BOLT 4,
    /// "Requirements" of the final node).
    case amountNotAccepted
    /// The database failed; the text is for the operator.
    case storage(String)
}
