import Bolt12
import EmbeddedNode
import LightningCrypto
import ResponderModel

/// A node some of whose responses can be replaced.
struct StubNode: ReceiveBackend {
    let inner: EmbeddedBackend
    var capabilities: BackendCapabilities
    var limitsNow: (@Sendable () async throws(BackendFault) -> ReceiveLimits)?
    var make: (@Sendable (InvoiceOrder) async throws(BackendFault) -> BackendInvoice)?
    var beforeStatus: (@Sendable () async -> Void)?
    var move: (@Sendable (BackendEvent) async throws(BackendFault) -> PaymentHash?)?
    var makeOffer: (@Sendable (OfferOrder) async throws(BackendFault) -> Offer)?
    var switchOff: (@Sendable (OfferID) async throws(BackendFault) -> Void)?
    var payments: (@Sendable (SettlementCursor?) -> SettlementStream)?

    init(_ inner: EmbeddedBackend, _ change: (inout StubNode) -> Void = { _ in }) {
        self.inner = inner
        capabilities = inner.capabilities
        change(&self)
    }

    func nodeInfo() async throws(BackendFault) -> NodeInfo { try await inner.nodeInfo() }
    func limits() async throws(BackendFault) -> ReceiveLimits {
        if let limitsNow { try await limitsNow() } else { try await inner.limits() }
    }
    func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        if let make { try await make(order) } else { try await inner.createInvoice(order) }
    }
    func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        await beforeStatus?()
        return try await inner.status(of: paymentHash)
    }
    func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) { try await inner.cancel(paymentHash) }
    func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        payments?(cursor) ?? inner.settlements(after: cursor)
    }
    func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer {
        guard let makeOffer else { throw .unsupported }
        return try await makeOffer(order)
    }
    func disableOffer(_ id: OfferID) async throws(BackendFault) {
        guard let switchOff else { throw .unsupported }
        try await switchOff(id)
    }
    func advance(_ event: BackendEvent) async throws(BackendFault) -> PaymentHash? {
        if let move { try await move(event) } else { try await inner.advance(event) }
    }
}
