public import LightningCrypto
public import Receiving

/// A backend whose settlements are played by hand: the embedded node, and no other.
///
/// It is a value of its own beside `ReceiveBackend`, so that no interface can be pointed at another node.
public struct SettlementOnCommand: Sendable {
    /// The backend that it belongs to.
    public let backend: BackendName
    private let play: @Sendable (PaymentHash) async throws(BackendFault) -> Void

    /// Names the backend, and what settles one of its invoices.
    public init(
        backend: BackendName,
        play: @escaping @Sendable (PaymentHash) async throws(BackendFault) -> Void
    ) {
        self.backend = backend
        self.play = play
    }

    /// Plays the payer of an invoice.
    ///
    /// - Throws: `SettlementFault`, when the invoice is not one that can be settled so.
    public func settle(_ invoice: IssuedInvoice) async throws(SettlementFault) {
        guard invoice.backend == backend else { throw .notOnCommand(invoice.backend) }
        guard invoice.settlement == nil else { throw .alreadySettled }
        do {
            try await play(invoice.paymentHash)
        } catch {
            throw .backend(error)
        }
    }
}

/// Why an invoice was not settled by hand.
public enum SettlementFault: Error, Hashable, Sendable {
    /// The invoice is another node's: only a payment settles it.
    case notOnCommand(BackendName)
    /// It has been paid before.
    case alreadySettled
    /// The node refused.
    case backend(BackendFault)

    /// What the operator reads.
    public var reason: String {
        switch self {
        case .notOnCommand(let name): "that invoice belongs to \(name); only a payment settles it"
        case .alreadySettled: "that invoice is settled already"
        case .backend(let fault): "the node refused: \(fault)"
        }
    }
}
