import LNURL
import LedgerRecords
package import LightningCoding
package import LightningCrypto
import Platform
package import ResponderModel

extension LedgerDatabase {
    /// Stores an invoice and consumes its claim.
    package func record(_ invoice: IssuedInvoice, using claim: InvoiceClaim?) async throws(LedgerFault) {
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
    package func invoice(
        _ paymentHash: PaymentHash, createdAt: UnixTime?
    ) async throws(LedgerFault) -> IssuedInvoice? {
        let invoice = try await read { connection throws(StorageFault) in try connection.invoice(paymentHash) }
        return createdAt == nil || invoice?.createdAt == createdAt ? invoice : nil
    }

    /// How many invoices of an account can still be paid, counted up to a limit.
    package func openInvoices(
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
                account.values() + [try .time(now), .integer(Int64(clamping: limit))]
            ) { row throws(StorageFault) in
                OpenInvoices(count: try row.unsigned(0), nextExpiry: row.isNull(1) ? nil : try row.time(1))
            }
            return found ?? OpenInvoices(count: 0, nextExpiry: nil)
        }
    }

    /// A page of invoices, newest first.
    package func invoices(_ query: InvoiceQuery) async throws(LedgerFault) -> InvoicePage {
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

extension IssuedInvoice {
    /// Takes the parameters that `values` makes.
    static let insertion = """
        INSERT INTO invoice (payment_hash, account, \(others))
        VALUES (
            ?1, \(AccountID.number("?2", "?3")),
            ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22
        )
        """
}

extension LedgerDatabase {
    /// Remembers a paid invoice.
    package func keep(_ paid: PaidInvoice, of id: RegistrationID, at now: UnixTime) async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in
            try connection.run(
                """
                INSERT INTO paid_invoice (registration, payment_hash, preimage, bolt11, recorded_at)
                SELECT id, ?3, ?4, ?5, ?6 FROM registration WHERE id = \(RegistrationID.number("?1", "?2"))
                ON CONFLICT (registration, payment_hash) DO NOTHING
                """, id.values() + paid.values() + [try .time(now)])
            try connection.run(
                """
                DELETE FROM paid_invoice WHERE registration = \(RegistrationID.number("?1", "?2")) AND id <= (
                    SELECT id FROM paid_invoice WHERE registration = \(RegistrationID.number("?1", "?2"))
                    ORDER BY id DESC LIMIT 1 OFFSET ?3
                )
                """, id.values() + [.integer(Int64(PaidInvoice.maximumCount))])
        }
    }

    /// What is remembered of an invoice that was paid, or nil.
    package func paidInvoice(
        _ paymentHash: PaymentHash, of id: RegistrationID
    ) async throws(LedgerFault) -> PaidInvoice? {
        try await read { connection throws(StorageFault) in
            try connection.first(
                """
                SELECT preimage, bolt11 FROM paid_invoice
                WHERE registration = \(RegistrationID.number("?1", "?2")) AND payment_hash = ?3
                """, id.values() + [.blob(paymentHash.bytes)]
            ) { row throws(StorageFault) in
                try PaidInvoice(paymentHash, row)
            }
        }
    }
}
