package import Bolt12
package import LightningCoding
package import LightningCrypto

/// A node that receives money for us: only what the responder needs of it.
///
/// Its responses are never trusted: the responder decodes every invoice and compares it with the order
/// (`InvoiceInspection`).
package protocol ReceiveBackend: Sendable {
    /// What the node can do. Constant for most kinds of nodes; a hook declares it in its first `info` reply, which is
    /// requested if need be.
    var capabilities: BackendCapabilities { get async throws(BackendFault) }

    func nodeInfo() async throws(BackendFault) -> NodeInfo

    /// The minimum and maximum that can be received now.
    ///
    /// - Throws: `BackendFault.nothingReceivable` instead of limits whose minimum exceeds their maximum.
    func limits() async throws(BackendFault) -> ReceiveLimits

    /// Makes an invoice that the node will honor after a restart of this process.
    func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice

    /// The state of an invoice's payment; nil when the node does not know the hash.
    func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus?

    /// Cancels an open invoice, so that it can no longer be paid.
    ///
    /// - Throws: `BackendFault.unsupported` when the node has no such call; see `BackendCapabilities.cancels`.
    func cancel(_ paymentHash: PaymentHash) async throws(BackendFault)

    /// Every settlement after the cursor, in the node's order, then each new one as it happens.
    ///
    /// A nil cursor means from the beginning. Delivery is at least once: a settlement repeated after a restart is
    /// identical. One that cannot be read, and never will be, is reported as such in its place, and later ones follow.
    func settlements(after cursor: SettlementCursor?) -> SettlementStream

    /// A cursor at the end of the settlement history, or a little before, for callers that need no earlier ones; nil
    /// when only reading all of it would tell.
    func presentEnd() async throws(BackendFault) -> SettlementCursor?

    /// Where the node's own count of settlements stands against a stored cursor.
    ///
    /// Called each time before settlements are read from there. `reached` for nodes whose cursors are not counts.
    func cursorState(of cursor: SettlementCursor) async throws(BackendFault) -> CursorState

    /// An offer that the node answers itself; the same order yields the same offer. Its payments arrive as settlements
    /// with `Settlement.offered`.
    ///
    /// - Throws: `BackendFault.unsupported` when the node has none; see `BackendCapabilities.offers`.
    func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer

    /// Disables an offer of the node's own, so that no more invoices are issued for it; idempotent.
    ///
    /// - Throws: `BackendFault.unsupported` when the node cannot do that.
    func disableOffer(_ id: OfferID) async throws(BackendFault)

    /// The calls that the responder needs and our credentials do not allow, by the node's names; empty when none is
    /// missing.
    func missingPermissions() async throws(BackendFault) -> [String]

    /// Receives the node's webhooks; nil when it sends none.
    var webhooks: (any WebhookSource)? { get }

    /// What it forwards to its peers; nil when it does not tell.
    var forwarding: (any ForwardingNode)? { get }

    /// Acts on an event reported from outside: claims what can be claimed, queries the state.
    ///
    /// - Returns: the payment concerned, when it is for an invoice of this node; nil when there is none.
    /// - Throws: `BackendFault.unsupported` when the event does not apply to this node and nothing was done.
    func advance(_ event: BackendEvent) async throws(BackendFault) -> PaymentHash?

    /// Deletes those of these invoices that were never paid and expired before a moment, where the node's records are
    /// ours alone. An operator's own node keeps its records.
    func forget(_ paymentHashes: [PaymentHash], expiredBefore moment: UnixTime) async throws(BackendFault)
}

extension ReceiveBackend {
    package func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer { throw .unsupported }

    package func disableOffer(_ id: OfferID) async throws(BackendFault) { throw .unsupported }

    package func presentEnd() async throws(BackendFault) -> SettlementCursor? { nil }

    package func cursorState(of cursor: SettlementCursor) async throws(BackendFault) -> CursorState { .reached }

    package func missingPermissions() async throws(BackendFault) -> [String] { [] }

    package var webhooks: (any WebhookSource)? { nil }

    package var forwarding: (any ForwardingNode)? { nil }

    /// Nothing: most nodes act by themselves.
    package func advance(_ event: BackendEvent) async throws(BackendFault) -> PaymentHash? {
        throw .unsupported
    }

    /// Nothing: the records are the node's own.
    package func forget(_ paymentHashes: [PaymentHash], expiredBefore moment: UnixTime) async throws(BackendFault) {}
}

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

/// The name of a backend in the configuration and in the ledger: `embedded`, `main-node`.
///
/// 1 to 64 characters of `a-z 0-9 - _`.
package struct BackendName: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// The backend of an installation that configures none.
    package static let embedded = BackendName(unchecked: "embedded")

    /// The backend of accounts that name none: the only one configured; nil when there are several.
    package static func standard(among names: some Collection<BackendName>) -> BackendName? {
        names.count == 1 ? names.first : nil
    }

    package init?(_ text: String) {
        guard text.isWord(upTo: 64, or: "-_") else { return nil }
        self.init(unchecked: text)
    }

    private init(unchecked text: String) {
        description = text
    }
}
