public import LightningCrypto
public import Contracts

/// An invoice of a node that is not what was ordered, whoever had asked for it. No payer has seen it.
public struct InvoiceMismatch: Hashable, Sendable {
    /// The node.
    public let backend: BackendName
    /// How the invoice differs.
    public let fault: InspectionFault
    /// The payment hash inside it; the one that the node named when it cannot be read.
    public let paymentHash: PaymentHash
    /// Whether it can still be paid.
    public let end: End

    /// What became of such an invoice.
    public enum End: Hashable, Sendable {
        /// The node has let it go.
        case letGo
        /// The node was to let it go, and did not.
        case notLetGo(BackendFault)
        /// It stays until it expires: the node lets none go, or the hash is that of an invoice which somebody else has been given.
        case stays

        /// What the operator reads.
        public var reason: String {
            switch self {
            case .letGo: "cancelled"
            case .notLetGo(let fault): "not cancelled: \(fault.reason)"
            case .stays: "stays until it expires"
            }
        }
    }
}

extension Refusal {
    /// What failed inside, unless it was told of where it arose (`InvoiceMismatch`): then whoever answers need not tell of it again.
    public var unnoticedCause: String? {
        if case .unavailable(.inspection) = self { nil } else { cause }
    }
}

extension RequestRefusal {
    /// The same.
    public var unnoticedCause: String? {
        if case .unavailable(.inspection) = self { nil } else { cause }
    }
}
