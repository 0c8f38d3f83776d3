public import LightningCrypto
public import Contracts

/// A node's invoice that does not match the order, whichever protocol requested it. No payer has seen it.
public struct InvoiceMismatch: Hashable, Sendable {
    /// The node.
    public let backend: BackendName
    /// How the invoice differs.
    public let fault: InspectionFault
    /// The payment hash inside it; the one that the node reported when it cannot be read.
    public let paymentHash: PaymentHash
    /// Whether it can still be paid.
    public let end: End

    /// What happened to such an invoice.
    public enum End: Hashable, Sendable {
        /// The node has cancelled it.
        case cancelled
        /// The node was asked to cancel it and failed.
        case notCancelled(BackendFault)
        /// It stays payable until it expires: the node cannot cancel, or the hash is that of an invoice issued to
        /// someone else.
        case stays

        /// The text for the operator.
        public var reason: String {
            switch self {
            case .cancelled: "cancelled"
            case .notCancelled(let fault): "not cancelled: \(fault.reason)"
            case .stays: "stays until it expires"
            }
        }
    }
}

extension Refusal {
    /// The internal failure, unless it was reported where it occurred (`InvoiceMismatch`) and need not be reported
    /// again.
    public var unnoticedCause: String? {
        if case .unavailable(.inspection) = self { nil } else { cause }
    }
}

extension RequestRefusal {
    /// Likewise.
    public var unnoticedCause: String? {
        if case .unavailable(.inspection) = self { nil } else { cause }
    }
}
