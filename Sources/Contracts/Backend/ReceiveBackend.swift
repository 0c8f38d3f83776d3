public import Bolt12
public import LightningCoding
public import LightningCrypto

/// A node that receives money for us: what the responder needs of it, and nothing else.
///
/// What comes back is never trusted: the responder decodes every invoice and compares it with what it ordered
/// (`InvoiceInspection`).
public protocol ReceiveBackend: Sendable {
    /// What the node can do. Most kinds of nodes can all do the same and are not asked; who stands before a node of any kind says it
    /// with its first answer, and is asked for that if need be.
    var capabilities: BackendCapabilities { get async throws(BackendFault) }

    /// Who and where the node is.
    func nodeInfo() async throws(BackendFault) -> NodeInfo

    /// The least and the most that can be received now.
    ///
    /// - Throws: `BackendFault.nothingReceivable` rather than limits whose minimum lies above their maximum.
    func limits() async throws(BackendFault) -> ReceiveLimits

    /// Makes an invoice that the node will honour after a restart of this process.
    func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice

    /// The same for callers that have to write the invoice down too: it may return before the node has.
    func beginInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BegunInvoice

    /// Where the payment of an invoice of this node stands; nil when the node does not know the hash.
    func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus?

    /// Lets an open invoice go, so that it can no longer be paid.
    ///
    /// - Throws: `BackendFault.unsupported` when the node has no such call; see `BackendCapabilities.cancels`.
    func cancel(_ paymentHash: PaymentHash) async throws(BackendFault)

    /// Every settlement after the cursor, in the node's order, then each new one as it happens.
    ///
    /// A nil cursor means from the beginning. Delivery is at least once: after a restart from a stored cursor a settlement
    /// may come again, and is the same. Ends with `UnreadableSettlement` at one that cannot be read.
    func settlements(after cursor: SettlementCursor?) -> AsyncThrowingStream<Settlement, any Error>

    /// Behind what the node has received by now, or a little before: for those who have nothing to look for in what was before.
    /// nil when only reading all of it would tell.
    func presentEnd() async throws(BackendFault) -> SettlementCursor?

    /// Whether the node's own count of settlements has come as far as a cursor of it. If not, the count began anew, as after the
    /// node's database was lost and built again: nothing may come after that cursor any more, whatever is paid.
    ///
    /// Asked each time before the settlements after a stored cursor are. A node whose cursors are no counts, or that cannot tell, has
    /// reached all of them.
    func hasReached(_ cursor: SettlementCursor) async throws(BackendFault) -> Bool

    /// An offer that the node answers itself; the same order gives the same offer. Payments for it come as settlements with
    /// `Settlement.offered`.
    ///
    /// - Throws: `BackendFault.unsupported` when the node has none; see `BackendCapabilities.offers`.
    func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer

    /// Switches an offer of the node's own off, so that nobody is given an invoice for it any more; one that is off stays so.
    ///
    /// - Throws: `BackendFault.unsupported` when the node cannot do that.
    func disableOffer(_ id: OfferID) async throws(BackendFault)

    /// The calls of the node that our credentials do not allow and that the responder needs, in the node's words; empty when
    /// nothing is missing.
    func missingPermissions() async throws(BackendFault) -> [String]

    /// Takes in what the node tells by HTTP; nil when it tells nothing so.
    var webhooks: (any WebhookSource)? { get }

    /// Looks after what somebody outside says has happened: claims what can be claimed, asks where it stands.
    ///
    /// - Returns: the payment that it concerns, when it is one to an invoice of this node; nil when there is none.
    /// - Throws: `BackendFault.unsupported` when there is nothing for this node to look after, and so nothing was done.
    func advance(_ event: BackendEvent) async throws(BackendFault) -> PaymentHash?

    /// Forgets those of these invoices that were never paid and whose time was over before a moment, where the node keeps its
    /// books for us alone. A node of the operator's own keeps them as the operator wants.
    func forget(_ paymentHashes: [PaymentHash], expiredBefore moment: UnixTime) async throws(BackendFault)
}

extension ReceiveBackend {
    /// Returns when the invoice is made as a whole.
    public func beginInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BegunInvoice {
        BegunInvoice(kept: try await createInvoice(order))
    }

    /// No offers.
    public func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer { throw .unsupported }

    /// No offers to switch off.
    public func disableOffer(_ id: OfferID) async throws(BackendFault) { throw .unsupported }

    /// Not known.
    public func presentEnd() async throws(BackendFault) -> SettlementCursor? { nil }

    /// Yes.
    public func hasReached(_ cursor: SettlementCursor) async throws(BackendFault) -> Bool { true }

    /// Nothing.
    public func missingPermissions() async throws(BackendFault) -> [String] { [] }

    /// None.
    public var webhooks: (any WebhookSource)? { nil }

    /// Nothing: most nodes see to their own money.
    public func advance(_ event: BackendEvent) async throws(BackendFault) -> PaymentHash? {
        throw .unsupported
    }

    /// Nothing: the books are the node's own.
    public func forget(_ paymentHashes: [PaymentHash], expiredBefore moment: UnixTime) async throws(BackendFault) {}
}
