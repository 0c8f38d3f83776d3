import EmbeddedNode
import LightningCrypto
import Platform
import ResponderModel

/// The embedded node, except that a test can stop, restart, modify and inspect it.
final class FakeNodeBackend: ReceiveBackend {
    let inner: EmbeddedBackend
    /// What every call throws; nil while the node is up.
    let fault = Guarded<BackendFault?>(nil)
    /// The node's identity, if it differs from the embedded one.
    let info = Guarded<NodeInfo?>(nil)
    /// Changes each invoice.
    let forge = Guarded<(@Sendable (BackendInvoice) -> BackendInvoice)?>(nil)
    /// Replaces the node's settlements.
    let stream = Guarded<(@Sendable (SettlementCursor?) -> SettlementStream)?>(nil)
    /// Replaces the end of its settlements.
    let end = Guarded<(@Sendable () async -> SettlementCursor)?>(nil)
    /// Replaces where its count of settlements stands.
    let cursorState = Guarded<CursorState?>(nil)
    let canceled = Guarded<[PaymentHash]>([])
    let asked = Guarded(0)
    /// After how many more calls it stops; nil for never.
    let callsLeft = Guarded<Int?>(nil)
    /// How many invoices were ordered.
    let ordered = Guarded(0)
    /// Invoices about which it says nothing readable.
    let unreadable = Guarded<Set<PaymentHash>>([])
    let hasCancel: Bool

    init(_ inner: EmbeddedBackend, cancels: Bool = true) {
        self.inner = inner
        hasCancel = cancels
    }

    var capabilities: BackendCapabilities {
        var capabilities = inner.capabilities
        capabilities.cancels = hasCancel
        return capabilities
    }

    func nodeInfo() async throws(BackendFault) -> NodeInfo {
        try check()
        if let info = info.withLock({ $0 }) { return info }
        return try await inner.nodeInfo()
    }

    func limits() async throws(BackendFault) -> ReceiveLimits {
        try check()
        return try await inner.limits()
    }

    func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        try check()
        ordered.withLock { $0 += 1 }
        let invoice = try await inner.createInvoice(order)
        return forge.withLock { $0 }?(invoice) ?? invoice
    }

    func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        try check()
        guard !unreadable.withLock({ $0.contains(paymentHash) }) else { throw .malformedAnswer("odd") }
        return try await inner.status(of: paymentHash)
    }

    func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) {
        try check()
        guard hasCancel else { throw .unsupported }
        canceled.withLock { $0.append(paymentHash) }
        try await inner.cancel(paymentHash)
    }

    func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        stream.withLock { $0 }?(cursor) ?? inner.settlements(after: cursor)
    }

    func presentEnd() async throws(BackendFault) -> SettlementCursor? {
        try check()
        return await end.withLock { $0 }?()
    }

    func cursorState(of cursor: SettlementCursor) async throws(BackendFault) -> CursorState {
        try check()
        if let cursorState = cursorState.withLock({ $0 }) { return cursorState }
        return try await inner.cursorState(of: cursor)
    }

    private func check() throws(BackendFault) {
        asked.withLock { $0 += 1 }
        if callsLeft.withLock({ $0 == 0 }) { fault.withLock { $0 = .timedOut } }
        callsLeft.withLock { $0 = $0.map { $0 - 1 } }
        if let fault = fault.withLock({ $0 }) { throw fault }
    }
}
