package import Platform
package import SQLiteLedger

/// Why an embedded node did not start.
package enum EmbeddedFault: Error, Hashable, Sendable {
    /// The network is mainnet, where nobody could pay its invoices, without explicit permission.
    case mainnetNotAllowed
    /// The minimum amount is zero, or above the maximum.
    case emptyLimits
    /// The key file cannot be created or read, or others may open it.
    case keyFile(PrivateFileFault)
    /// The key file does not contain 64 hexadecimal digits of a valid key.
    case malformedKey
    /// The system provided no random bytes for a new key.
    case noRandomness
    /// There is no database at this path, and none is to be created.
    case databaseMissing(String)
    case storage(StorageFault)
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
