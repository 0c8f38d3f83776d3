package import Bolt12
package import LightningCrypto
package import ResponderModel

/// The backend of a node used by many rules: unique labels, and no earlier settlements.
package struct LiveBackend<Node: ReceiveBackend>: ReceiveBackend {
    private let node: Node
    private let run: String
    private let start: SettlementCursor

    /// - Parameters:
    ///   - run: begins each label.
    ///   - start: where the settlements begin.
    package init(node: Node, run: String, start: SettlementCursor) {
        self.node = node
        self.run = run
        self.start = start
    }

    package var capabilities: BackendCapabilities {
        get async throws(BackendFault) { try await node.capabilities }
    }

    package func nodeInfo() async throws(BackendFault) -> NodeInfo { try await node.nodeInfo() }

    package func limits() async throws(BackendFault) -> ReceiveLimits { try await node.limits() }

    package func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        try await node.createInvoice(
            InvoiceOrder(
                amount: order.amount, description: order.description, expiry: order.expiry,
                label: run + order.label, preimage: order.preimage))
    }

    package func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        try await node.status(of: paymentHash)
    }

    package func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) { try await node.cancel(paymentHash) }

    package func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        node.settlements(after: cursor ?? start)
    }

    package func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer { try await node.offer(order) }
}
