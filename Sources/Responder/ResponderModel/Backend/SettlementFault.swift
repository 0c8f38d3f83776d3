/// Why an invoice was not settled by hand.
package enum SettlementFault: LedgerFaultConvertible, Hashable, Sendable {
    /// The invoice belongs to another node: only a payment settles it.
    case notOnCommand(BackendName)
    /// The node does not know the invoice.
    case unknown
    case alreadySettled
    case expired
    case cancelled
    /// The node failed; the text is for the operator.
    case failed(String)

    package static func ledger(_ fault: LedgerFault) -> SettlementFault { .failed(fault.reason) }

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
