/// What this process has just written into a ledger. It is durable when it is told, and told once.
public enum LedgerFact: Sendable {
    /// An invoice was written down, to be given out.
    case issued(IssuedInvoice)
    /// A payment was written down.
    case settled(IssuedInvoice)
    /// Work in the outbox is due that was not before.
    case workDue
}
