package import ResponderModel

/// A backend whose invoices can be settled by hand: only the embedded node.
///
/// Separate from `ReceiveBackend`, so that it can never be applied to a real node.
package struct SettlementOnCommand: Sendable {
    package let backend: BackendName
    private let play: @Sendable (IssuedInvoice) async throws(SettlementFault) -> Void

    package init(
        backend: BackendName,
        play: @escaping @Sendable (IssuedInvoice) async throws(SettlementFault) -> Void
    ) {
        self.backend = backend
        self.play = play
    }

    /// Settles an invoice as if it had been paid.
    ///
    /// - Throws: `SettlementFault` when the invoice cannot be settled by hand.
    package func settle(_ invoice: IssuedInvoice) async throws(SettlementFault) {
        guard invoice.backend == backend else { throw .notOnCommand(invoice.backend) }
        guard invoice.settlement == nil else { throw .alreadySettled }
        try await play(invoice)
    }
}
