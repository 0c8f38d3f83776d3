import LightningCoding
import LightningCrypto
import ResponderModel

/// A node whose status of invoices can be replaced.
struct StatusOverridingNode: ReceiveBackend {
    let inner: any ReceiveBackend
    var node: PublicKey?
    /// Whether it answers for its invoices, and not which node it is.
    var isNameless = false
    var tell: @Sendable (PaymentHash) throws(BackendFault) -> PaymentStatus??

    var capabilities: BackendCapabilities {
        get async throws(BackendFault) { try await inner.capabilities }
    }
    func nodeInfo() async throws(BackendFault) -> NodeInfo {
        guard !isNameless else { throw .timedOut }
        let info = try await inner.nodeInfo()
        return NodeInfo(nodeID: node ?? info.nodeID, network: info.network, blockHeight: info.blockHeight)
    }
    func limits() async throws(BackendFault) -> ReceiveLimits { try await inner.limits() }
    func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        try await inner.createInvoice(order)
    }
    func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        if let told = try tell(paymentHash) { return told }
        return try await inner.status(of: paymentHash)
    }
    func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) { try await inner.cancel(paymentHash) }
    func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        inner.settlements(after: cursor)
    }
    func forget(_ paymentHashes: [PaymentHash], expiredBefore moment: UnixTime) async throws(BackendFault) {
        try await inner.forget(paymentHashes, expiredBefore: moment)
    }
}
