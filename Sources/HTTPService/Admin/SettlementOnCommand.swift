public import LightningCrypto
public import Contracts

/// A backend whose settlements are played by hand: the embedded node, and no other.
///
/// It is a value of its own beside `ReceiveBackend`, so that no interface can be pointed at another node.
public struct SettlementOnCommand: Sendable {
    /// The backend that it belongs to.
    public let backend: BackendName
    private let play: @Sendable (PaymentHash) async throws(SettlementFault) -> Void

    /// Names the backend, and what settles one of its invoices.
    public init(
        backend: BackendName,
        play: @escaping @Sendable (PaymentHash) async throws(SettlementFault) -> Void
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
        try await play(invoice.paymentHash)
    }
}

/// Why an invoice was not settled by hand.
public enum SettlementFault: Error, Hashable, Sendable {
    /// The invoice is another node's: only a payment settles it.
    case notOnCommand(BackendName)
    /// The node has made no such invoice.
    case unknown
    /// It has been paid before.
    case alreadySettled
    /// Its time is over.
    case expired
    /// It was let go.
    case cancelled
    /// The node failed; for the operator to read.
    case failed(String)

    /// What the operator reads.
    public var reason: String {
        switch self {
        case .notOnCommand(let name): "that invoice belongs to \(name); only a payment settles it"
        case .unknown: "the node has made no such invoice"
        case .alreadySettled: "that invoice is settled already"
        case .expired: "that invoice has expired"
        case .cancelled: "that invoice was cancelled"
        case .failed(let reason): "the node failed: \(reason)"
        }
    }
}
