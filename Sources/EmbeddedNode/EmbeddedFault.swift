public import Platform
public import SQLiteStorage

/// Why an embedded node did not start.
public enum EmbeddedFault: Error, Hashable, Sendable {
    /// It was to make mainnet invoices, which nobody could pay, without being told that this is meant.
    case mainnetNotAllowed
    /// The least amount is zero, or above the greatest.
    case emptyLimits
    /// The key's file cannot be made or read, or others may open it.
    case keyFile(PrivateFileFault)
    /// The key's file does not hold 64 hexadecimal digits that make a key.
    case malformedKey
    /// The system gave no random bytes for a new key.
    case noRandomness
    /// The database refuses the node's tables.
    case storage(StorageFault)
}

/// Why a payment was not played.
public enum SettleFault: Error, Hashable, Sendable {
    /// The node has made no invoice with that hash.
    case unknown
    /// It has been paid before.
    case alreadySettled
    /// It was let go.
    case cancelled
    /// Its time is over.
    case expired
    /// Less than was asked for, or more than twice as much: a node refuses such a payment (BOLT 4, "Requirements" of the final
    /// node).
    case amountNotAccepted
    /// The database failed.
    case storage(StorageFault)
}
