public import LightningCrypto
public import Receiving
import SQLiteStorage

extension LedgerDatabase {
    /// Writes an invoice down, and uses up what it answers.
    public func record(_ invoice: IssuedInvoice, using claim: InvoiceClaim?) async throws(LedgerFault) {
        let fault: LedgerFault? = try await write { connection throws(StorageFault) in
            if case .offer(let offer) = claim, let fault = try connection.obstacle(to: offer, at: invoice.createdAt) {
                return fault
            }
            try connection.run(IssuedInvoice.insertion, try invoice.values())
            switch claim {
            case .challenge(let challenge): try connection.use(challenge)
            case .offer(let offer): try connection.remember(offer, answeredBy: invoice)
            case nil: break
            }
            return nil
        }
        if let fault { throw fault }
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
