package import Bolt12
package import LightningCoding
package import LightningCrypto
package import Platform

/// A node with its operator's configuration: the required chain, limits on its load, and the paths to it.
///
/// Orders and queries have separate queues, so that a burst of invoice requests does not delay health checks.
package struct ConfiguredBackend: ReceiveBackend {
    private let node: any ReceiveBackend
    private let network: Network?
    private let paths: PathPreferences
    private let orders: CallQueue
    private let questions: CallQueue
    private let isUnissued: @Sendable (PaymentHash) async -> Bool

    /// Wraps a node.
    ///
    /// - Parameters:
    ///   - node: the node.
    ///   - network: the required chain; nil accepts any.
    ///   - load: how many calls may run and wait.
    ///   - paths: through which peers BOLT12 payments come, and on which terms.
    ///   - isUnissued: whether it is certain that no payer holds an invoice with that hash. By default it never is.
    ///   - clock: measures calls; nil for the system's, with one timer for all deadlines.
    package init(
        _ node: any ReceiveBackend,
        network: Network? = nil,
        load: BackendLoad = BackendLoad(),
        paths: PathPreferences = PathPreferences(),
        isUnissued: @escaping @Sendable (PaymentHash) async -> Bool = { _ in false },
        clock: MonotonicClock? = nil
    ) {
        self.node = node
        self.network = network
        self.paths = paths
        self.isUnissued = isUnissued
        orders = CallQueue(load, clock: clock)
        questions = CallQueue(load, clock: clock)
    }

    package var capabilities: BackendCapabilities {
        get async throws(BackendFault) { try await node.capabilities }
    }

    package var webhooks: (any WebhookSource)? { node.webhooks }

    /// The node's own, in the queue of queries.
    package var forwarding: (any ForwardingNode)? {
        node.forwarding.map { QueuedForwarding(node: $0, queue: questions) }
    }

    /// The node's identity, with the configured peers.
    ///
    /// - Throws: `wrongNetwork` when it is on a different chain.
    package func nodeInfo() async throws(BackendFault) -> NodeInfo {
        let info = try await questions.run { [node] () async throws(BackendFault) in try await node.nodeInfo() }
        if let network, info.network != network { throw .wrongNetwork(info.network, configured: network) }
        return paths.applied(to: info)
    }

    package func limits() async throws(BackendFault) -> ReceiveLimits {
        try await questions.run { [node] () async throws(BackendFault) in try await node.limits() }
    }

    /// Makes an invoice when a slot is free. One that arrives after the deadline is cancelled if the node supports that
    /// and the invoice is not one that it made for another payer; otherwise it expires.
    package func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        let cancel: @Sendable (BackendInvoice) async -> Void = { [node, isUnissued] invoice in
            // The caller has given up, and this task is cancelled with it.
            await Task {
                guard (try? await node.capabilities.cancels) ?? false, await isUnissued(invoice.hashToPay) else {
                    return
                }
                try? await node.cancel(invoice.hashToPay)
            }.value
        }
        return try await orders.run(late: cancel) { [node] () async throws(BackendFault) in
            try await node.createInvoice(order)
        }
    }

    package func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        try await questions.run { [node] () async throws(BackendFault) in try await node.status(of: paymentHash) }
    }

    package func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) {
        try await questions.run { [node] () async throws(BackendFault) in try await node.cancel(paymentHash) }
    }

    /// The node's settlements; a stream has no deadline.
    package func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        node.settlements(after: cursor)
    }

    /// A cursor at the end of the settlement history. May take several calls, so it has no deadline.
    package func presentEnd() async throws(BackendFault) -> SettlementCursor? { try await node.presentEnd() }

    /// Where the node's count of settlements stands. May take several calls, so it has no deadline.
    package func standing(of cursor: SettlementCursor) async throws(BackendFault) -> CursorState {
        try await node.standing(of: cursor)
    }

    package func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer {
        try await orders.run { [node] () async throws(BackendFault) in try await node.offer(order) }
    }

    package func disableOffer(_ id: OfferID) async throws(BackendFault) {
        try await questions.run { [node] () async throws(BackendFault) in try await node.disableOffer(id) }
    }

    package func advance(_ event: BackendEvent) async throws(BackendFault) -> PaymentHash? {
        try await questions.run { [node] () async throws(BackendFault) in try await node.advance(event) }
    }

    /// Deletes invoices, where the node's records are ours.
    package func forget(_ paymentHashes: [PaymentHash], expiredBefore moment: UnixTime) async throws(BackendFault) {
        try await questions.run { [node] () async throws(BackendFault) in
            try await node.forget(paymentHashes, expiredBefore: moment)
        }
    }

    /// The calls that the credentials do not allow.
    package func missingPermissions() async throws(BackendFault) -> [String] {
        try await questions.run { [node] () async throws(BackendFault) in try await node.missingPermissions() }
    }
}

private struct QueuedForwarding: ForwardingNode {
    let node: any ForwardingNode
    let queue: CallQueue

    func forwardingPeer(_ key: PublicKey) async throws(BackendFault) -> ForwardingPeer? {
        try await queue.run { [node] () async throws(BackendFault) in try await node.forwardingPeer(key) }
    }
}
