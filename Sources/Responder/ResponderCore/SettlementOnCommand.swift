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

/// Why an invoice was not settled by hand.
package enum SettlementFault: Error, Hashable, Sendable {
    /// The invoice belongs to another node: only a payment settles it.
    case notOnCommand(BackendName)
    /// The node does not know the invoice.
    case unknown
    case alreadySettled
    case expired
    case cancelled
    /// The node failed; the text is for the operator.
    case failed(String)

    package var reason: String {
        switch self {
        case .notOnCommand(let name): "the invoice belongs to \(name); only a payment settles it"
        case .unknown: "the node does not know the invoice"
        case .alreadySettled: "the invoice is already settled"
        case .expired: "the invoice has expired"
        case .cancelled: "the invoice was cancelled"
        case .failed(let reason): "the node failed: \(reason)"
        }
    }
}
