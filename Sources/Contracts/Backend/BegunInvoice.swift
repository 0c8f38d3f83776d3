/// An invoice that a node has made, and may still be writing down.
///
/// Whoever has to write it down too does so meanwhile: then both wait for the disk at the same time.
public struct BegunInvoice: Sendable {
    /// What the node answers. Its text must not leave before `kept()` has returned.
    public let invoice: BackendInvoice
    private let writing: (@Sendable () async throws(BackendFault) -> Void)?

    /// An invoice that the node has written down.
    public init(kept invoice: BackendInvoice) {
        self.invoice = invoice
        writing = nil
    }

    /// An invoice that the node has written down when `writing` returns.
    public init(_ invoice: BackendInvoice, writing: @escaping @Sendable () async throws(BackendFault) -> Void) {
        self.invoice = invoice
        self.writing = writing
    }

    /// Returns when the node will honour the invoice even after a restart of this process; one at a time may wait.
    ///
    /// - Throws: why it never will.
    public func kept() async throws(BackendFault) {
        try await writing?()
    }
}
