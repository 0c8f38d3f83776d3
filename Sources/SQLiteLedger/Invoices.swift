public import LightningCrypto
public import Receiving
import SQLiteStorage

extension LedgerDatabase {
    /// Writes an invoice down, and uses up the challenge that it answers.
    public func record(_ invoice: IssuedInvoice, using challenge: UsedChallenge?) async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in
            try connection.run(IssuedInvoice.insertion, try invoice.values())
            guard let challenge else { return }
            try connection.run(
                "INSERT INTO used_challenge (bytes, expires_at) VALUES (?1, ?2)",
                [.blob(challenge.bytes), try .time(challenge.expiresAt)]
            )
        }
    }

    /// The invoice with that hash, or nil.
    public func invoice(_ paymentHash: PaymentHash) async throws(LedgerFault) -> IssuedInvoice? {
        try await read { connection throws(StorageFault) in try connection.invoice(paymentHash) }
    }

    /// A page of invoices, newest first.
    public func invoices(_ query: InvoiceQuery) async throws(LedgerFault) -> InvoicePage {
        let statement = ListingStatement(query)
        var found = try await read { connection throws(StorageFault) in
            try connection.rows(statement.sql, try statement.values()) { row throws(StorageFault) in
                (position: try row.integer(IssuedInvoice.columnCount), invoice: try IssuedInvoice(row))
            }
        }
        // One more than was asked for was looked up, to know whether there is a next page.
        let isLastPage = found.count <= query.limit
        if !isLastPage { found.removeLast() }
        return InvoicePage(
            invoices: found.map(\.invoice),
            next: isLastPage ? nil : found.last.map { InvoicePage.Mark(position: $0.position) }
        )
    }
}

extension Connection {
    func invoice(_ paymentHash: PaymentHash) throws(StorageFault) -> IssuedInvoice? {
        try first(
            "SELECT \(IssuedInvoice.columns) FROM invoice WHERE payment_hash = ?1", [.blob(paymentHash.bytes)],
            read: IssuedInvoice.init
        )
    }
}
