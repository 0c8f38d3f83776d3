package import ResponderModel

/// Why an embedded node did not start.
package enum EmbeddedFault: LedgerFaultConvertible, Hashable, Sendable {
    /// The network is mainnet, where nobody could pay its invoices, without explicit permission.
    case mainnetNotAllowed
    /// There is no database at this path, and none is to be created.
    case databaseMissing(String)
    case ledger(LedgerFault)
}
