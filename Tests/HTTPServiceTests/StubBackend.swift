import Bolt12
import EmbeddedNode
import LightningCrypto
import ResponderModel

/// An embedded node whose invoices the test determines.
struct StubBackend: ReceiveBackend {
    let node: EmbeddedBackend
    var capabilities: BackendCapabilities
    var source: (any WebhookSource)?
    var makeOffer: (@Sendable (OfferOrder) async throws(BackendFault) -> Offer)?
    var switchOff: (@Sendable (OfferID) async throws(BackendFault) -> Void)?
    var info: (@Sendable () async throws(BackendFault) -> NodeInfo)?
    var limitsNow: (@Sendable () async throws(BackendFault) -> ReceiveLimits)?
    var whenCanceled: (@Sendable (PaymentHash) async throws(BackendFault) -> Void)?
    let make: @Sendable (InvoiceOrder) async throws(BackendFault) -> BackendInvoice

    init(
        _ node: EmbeddedBackend,
        make: @escaping @Sendable (InvoiceOrder) async throws(BackendFault) -> BackendInvoice
    ) {
        self.node = node
        self.make = make
        capabilities = node.capabilities
    }

    var webhooks: (any WebhookSource)? { source }

    func nodeInfo() async throws(BackendFault) -> NodeInfo {
        if let info { try await info() } else { try await node.nodeInfo() }
    }
    func limits() async throws(BackendFault) -> ReceiveLimits {
        if let limitsNow { try await limitsNow() } else { try await node.limits() }
    }
    func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice { try await make(order) }
    func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        try await node.status(of: paymentHash)
    }
    func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer {
        guard let makeOffer else { throw .unsupported }
        return try await makeOffer(order)
    }
    func disableOffer(_ id: OfferID) async throws(BackendFault) {
        guard let switchOff else { throw .unsupported }
        try await switchOff(id)
    }
    func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) {
        if let whenCanceled { try await whenCanceled(paymentHash) } else { try await node.cancel(paymentHash) }
    }
    func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        node.settlements(after: cursor)
    }
}
