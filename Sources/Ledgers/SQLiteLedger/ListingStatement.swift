import LNURL
import LedgerRecords
import ResponderModel

/// The `SELECT` for a page of invoices. Each is served by one index, in the order of the page.
struct ListingStatement: Sendable {
    private let query: InvoiceQuery

    init(_ query: InvoiceQuery) {
        self.query = query
    }

    var sql: String {
        """
        SELECT \(IssuedInvoice.columns), id FROM invoice \(index)
        WHERE id < ?1 \(account) \(state) AND (?4 IS NULL OR backend = ?4)
        ORDER BY id DESC LIMIT ?2
        """
    }

    /// The parameters: the position to start from, the number of rows (one more than the page), the moment, the
    /// backend, the account's name and domain.
    func values() throws(StorageFault) -> [Value] {
        let always: [Value] = [
            .integer(query.after?.position ?? .max), .integer(Int64(query.limit) + 1), try .time(query.now),
            .text(query.backend?.description),
        ]
        return always + (query.account?.values() ?? [])
    }

    private var index: String {
        switch (query.account, query.state) {
        case (_?, _): "INDEXED BY invoice_by_account"
        case (nil, .settled): "INDEXED BY invoice_settled"
        case (nil, .open), (nil, .expired): "INDEXED BY invoice_unsettled"
        case (nil, nil): "NOT INDEXED"
        }
    }

    private var account: String {
        query.account == nil ? "" : "AND account = \(AccountID.number("?5", "?6"))"
    }

    /// Always uses the moment `?3`, so that the parameters are the same in all cases.
    private var state: String {
        switch query.state {
        case .open: "AND settled_at IS NULL AND expires_at > ?3"
        case .expired: "AND settled_at IS NULL AND expires_at <= ?3"
        case .settled: "AND settled_at IS NOT NULL AND ?3 IS NOT NULL"
        case nil: "AND ?3 IS NOT NULL"
        }
    }
}
