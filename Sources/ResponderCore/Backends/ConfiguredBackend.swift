public import Bolt12
public import LightningCoding
public import LightningCrypto
public import Contracts

/// A node behind what its operator has configured: the chain it must live on, what it has to bear, and the paths to it.
///
/// Orders and questions have lines of their own, so that a crowd that wants invoices does not keep health checks waiting.
public struct ConfiguredBackend: ReceiveBackend {
    private let node: any ReceiveBackend
    private let network: Network?
    private let paths: PathPreferences
    private let orders: CallQueue
    private let questions: CallQueue

    /// Puts a node behind its configuration.
    ///
    /// - Parameters:
    ///   - network: the chain that it must live on; nil takes any.
    ///   - now: tells how long calls take.
    ///   - pause: waits for a time, the clock of deadlines; nil for the system's clock.
    public init(
        _ node: any ReceiveBackend,
        network: Network? = nil,
        load: BackendLoad = BackendLoad(),
        paths: PathPreferences = PathPreferences(),
        now: @escaping @Sendable () -> MonotonicTime = MonotonicClock.system.now,
        pause: (@Sendable (Duration) async throws -> Void)? = nil
    ) {
        self.node = node
        self.network = network
        self.paths = paths
        orders = CallQueue(load, now: now, pause: pause)
        questions = CallQueue(load, now: now, pause: pause)
    }

    /// As the node has them.
    public var capabilities: BackendCapabilities {
        get async throws(BackendFault) { try await node.capabilities }
    }

    /// As the node has them.
    public var webhooks: (any WebhookSource)? { node.webhooks }

    /// Who the node is, with the peers that were configured.
    ///
    /// - Throws: `wrongNetwork` when it lives on another chain.
    public func nodeInfo() async throws(BackendFault) -> NodeInfo {
        let info = try await questions.run { [node] () async throws(BackendFault) in try await node.nodeInfo() }
        if let network, info.network != network { throw .wrongNetwork(info.network, configured: network) }
        return paths.applied(to: info)
    }

    /// What can be received now.
    public func limits() async throws(BackendFault) -> ReceiveLimits {
        try await questions.run { [node] () async throws(BackendFault) in try await node.limits() }
    }

    /// Makes an invoice when it is its turn. One that comes after the deadline is let go where the node can do so.
    public func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        let letGo: @Sendable (BackendInvoice) async -> Void = { [node] invoice in
            guard (try? await node.capabilities.cancels) ?? false else { return }
            // Whoever has ordered it is gone, and with it the cancellation.
            await Task { try? await node.cancel(invoice.hashToPay) }.value
        }
        return try await orders.run(late: letGo) { [node] () async throws(BackendFault) in
            try await node.createInvoice(order)
        }
    }

    /// Where a payment stands.
    public func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        try await questions.run { [node] () async throws(BackendFault) in try await node.status(of: paymentHash) }
    }

    /// Lets an invoice go.
    public func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) {
        try await questions.run { [node] () async throws(BackendFault) in try await node.cancel(paymentHash) }
    }

    /// The node's settlements; a stream has no deadline.
    public func settlements(after cursor: SettlementCursor?) -> AsyncThrowingStream<Settlement, any Error> {
        node.settlements(after: cursor)
    }

    /// Behind what the node has received by now. It may take more calls than one, and so has no deadline.
    public func presentEnd() async throws(BackendFault) -> SettlementCursor? { try await node.presentEnd() }

    /// Whether the node's count of settlements has come so far. It may take more calls than one, and so has no deadline.
    public func hasReached(_ cursor: SettlementCursor) async throws(BackendFault) -> Bool {
        try await node.hasReached(cursor)
    }

    /// The node's own offer.
    public func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer {
        try await orders.run { [node] () async throws(BackendFault) in try await node.offer(order) }
    }

    /// Switches the node's own offer off.
    public func disableOffer(_ id: OfferID) async throws(BackendFault) {
        try await questions.run { [node] () async throws(BackendFault) in try await node.disableOffer(id) }
    }

    /// Looks after what has happened outside.
    public func advance(_ event: BackendEvent) async throws(BackendFault) -> PaymentHash? {
        try await questions.run { [node] () async throws(BackendFault) in try await node.advance(event) }
    }

    /// Forgets invoices, where the node does that for us.
    public func forget(_ paymentHashes: [PaymentHash], expiredBefore moment: UnixTime) async throws(BackendFault) {
        try await questions.run { [node] () async throws(BackendFault) in
            try await node.forget(paymentHashes, expiredBefore: moment)
        }
    }

    /// What the credentials do not allow.
    public func missingPermissions() async throws(BackendFault) -> [String] {
        try await questions.run { [node] () async throws(BackendFault) in try await node.missingPermissions() }
    }
}
