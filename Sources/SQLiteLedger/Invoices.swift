public import LightningCoding
public import LightningCrypto
import Platform
public import Contracts
import SQLiteStorage

extension LedgerDatabase {
    /// Stores an invoice and consumes its claim.
    public func record(_ invoice: IssuedInvoice, using claim: InvoiceClaim?) async throws(LedgerFault) {
        let fault: LedgerFault? = try await write { connection throws(StorageFault) in
            switch claim {
            case .offer(let offer):
                if let fault = try connection.obstacle(to: offer, at: invoice.createdAt) { return fault }
            case .request(let request):
                if try connection.isAnswered(request, at: invoice.createdAt) { return .requestAnswered }
            case .challenge, nil: break
            }
            try connection.run(IssuedInvoice.insertion, try invoice.values())
            switch claim {
            case .challenge(let challenge): try connection.use(challenge)
            case .offer(let offer):
                if let request = offer.request { try connection.remember(request, answeredBy: invoice) }
            case .request(let request): try connection.remember(request, answeredBy: invoice)
            case nil: break
            }
            return nil
        }
        if let fault { throw fault }
        observers.tell(.issued(invoice))
    }

    /// The invoice with that hash, or nil.
    public func invoice(
        _ paymentHash: PaymentHash, createdAt: UnixTime?
    ) async throws(LedgerFault) -> IssuedInvoice? {
        let invoice = try await read { connection throws(StorageFault) in try connection.invoice(paymentHash) }
        return createdAt == nil || invoice?.createdAt == createdAt ? invoice : nil
    }

    /// How many invoices of an account can still be paid, counted up to a limit.
    public func openInvoices(
        of account: AccountID, at now: UnixTime, countingTo limit: UInt64
    ) async throws(LedgerFault) -> OpenInvoices {
        try await read { connection throws(StorageFault) in
            let found = try connection.first(
                """
                SELECT count(*), min(expires_at) FROM (
                    SELECT expires_at FROM invoice INDEXED BY invoice_open
                    WHERE account = \(AccountID.number("?1", "?2")) AND settled_at IS NULL AND expires_at > ?3
                    ORDER BY expires_at LIMIT ?4
                )
                """,
                account.values + [try .time(now), .integer(Int64(clamping: limit))]
            ) { row throws(StorageFault) in
                OpenInvoices(count: try row.unsigned(0), nextExpiry: row.isNull(1) ? nil : try row.time(1))
            }
            return found ?? OpenInvoices(count: 0, nextExpiry: nil)
        }
    }

    /// A page of invoices, newest first.
    public func invoices(_ query: InvoiceQuery) async throws(LedgerFault) -> InvoicePage {
        let statement = ListingStatement(query)
        let found = try await read { connection throws(StorageFault) in
            try connection.rows(statement.sql, try statement.values()) { row throws(StorageFault) in
                (position: try row.integer(IssuedInvoice.columnCount), element: try IssuedInvoice(row))
            }
        }
        // One more than requested is read, to know whether there is a next page.
        return Page(of: query.limit, from: found)
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
