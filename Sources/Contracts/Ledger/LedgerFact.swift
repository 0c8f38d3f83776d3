/// What this process has just written to a ledger. Reported once, after it is durable.
public enum LedgerFact: Sendable {
    /// An invoice was stored, about to be issued.
    case issued(IssuedInvoice)
    /// A payment was stored.
    case settled(IssuedInvoice)
    /// New work in the outbox is due.
    case workDue
}
