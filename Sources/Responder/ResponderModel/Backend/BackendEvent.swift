import LightningCoding

/// An event reported from outside that the node should act on.
package enum BackendEvent: Hashable, Sendable {
    /// A swap changed its status: the SHA-256 of its id in hexadecimal, or the id itself.
    case swapUpdated(id: String, SwapStatus)
    case addressTransactionsConfirmed(address: String)
    /// A transaction was confirmed, by its id as the sender wrote it.
    case transactionConfirmed(id: String)
}

/// The status of a swap, as the Boltz backend reports it for submarine, reverse and chain swaps alike: the node knows what to
/// do with it.
package struct SwapStatus: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ text: String) { description = text }

    package static func == (one: SwapStatus, other: SwapStatus) -> Bool { one.description.isExactly(other.description) }

    /// Whether the locked amount is not the agreed one, so that the owner must decide first.
    package var needsDecision: Bool { description.isExactly("transaction.lockupFailed") }
}
