/// An invoice that a node has made and may still be storing.
///
/// The caller stores its own copy meanwhile, so that both wait for the disk at the same time.
public struct BegunInvoice: Sendable {
    /// The node's response. Its text must not leave before `kept()` has returned.
    public let invoice: BackendInvoice
    private let writing: (@Sendable () async throws(BackendFault) -> Void)?

    /// An invoice that the node has stored.
    public init(kept invoice: BackendInvoice) {
        self.invoice = invoice
        writing = nil
    }

    /// An invoice that the node has stored once `writing` returns.
    public init(_ invoice: BackendInvoice, writing: @escaping @Sendable () async throws(BackendFault) -> Void) {
        self.invoice = invoice
        self.writing = writing
    }

    /// Returns when the node will honour the invoice even after a restart of this process; only one caller may wait.
    ///
    /// - Throws: why it never will.
    public func kept() async throws(BackendFault) {
        try await writing?()
    }
}
