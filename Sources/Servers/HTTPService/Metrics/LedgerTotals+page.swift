import ResponderModel

extension LedgerTotals {
    /// Its lines of the metrics page. Payments are counted by the ledger, in the transaction that records them,
    /// including those recorded by other processes.
    var page: String {
        func lines(_ name: String, _ counts: [OutboxKind: UInt64]) -> String {
            let kinds = Set(counts.keys).union(OutboxKind.all).sorted()
            return "# TYPE \(name) gauge\n" + kinds.map { "\(name){kind=\"\($0)\"} \(counts[$0] ?? 0)\n" }.joined()
        }
        return lines("responder_outbox_parked", parked) + lines("responder_outbox_pending", pending)
            + "# TYPE responder_settlements_total counter\nresponder_settlements_total \(settlements)\n"
    }
}
