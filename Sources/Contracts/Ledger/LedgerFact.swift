/// What this process has just written to a ledger, reported once, after it is durable; or could not write.
public enum LedgerFact: Sendable {
    /// An invoice was stored, about to be issued.
    case issued(IssuedInvoice)
    /// A payment was stored.
    case settled(IssuedInvoice)
    /// New work in the outbox is due.
    case workDue
    /// An invoice that is not what was ordered; no work was added to cancel it, since the ledger failed, the same
    /// invoice is known already, or too many wait.
    case unrecordedMismatch(InvoiceMismatch)
}
