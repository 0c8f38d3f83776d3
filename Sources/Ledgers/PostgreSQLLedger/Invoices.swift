import LNURL
import LedgerRecords
package import LightningCoding
package import LightningCrypto
import Platform
package import ResponderModel

extension ServerLedger {
    /// Stores an invoice and consumes its claim, in one round trip; makes the partition of its day if that is missing.
    package func record(_ invoice: IssuedInvoice, using claim: InvoiceClaim?) async throws(LedgerFault) {
        let queries = try Self.claiming(claim, for: invoice) + [query(Self.insertion, invoice.values())]
        let sets = try await write(inPartitionOf: invoice.createdAt, queries)
        for claimed in sets.dropLast() {
            let refusal = try await LedgerFault.asking(
                try claimed.first { row throws(StorageFault) in BrokenRule(rawValue: try row.text(0)) } ?? nil)
            if let refusal { throw refusal.fault }
        }
        observers.tell(.issued(invoice))
    }

    /// Makes the partition of a day, unless there is one.
    func makePartition(for moment: UnixTime) async throws(LedgerFault) {
        guard moment.seconds < Self.endOfTime else { throw .storage(StorageFault.outOfRange.reason) }
        try await write(query("SELECT make_invoice_partition($1)", [try .time(moment)]))
    }

    /// When ids no longer fit into 63 bits.
    static let endOfTime: UInt64 = 1 << 43

    /// Takes the same parameters as `IssuedInvoice.values` makes. Does nothing when the claim before it was refused.
    static let insertion = """
        INSERT INTO invoice (id, payment_hash, account, \(IssuedInvoice.others))
        SELECT
            invoice_id($8) | nextval('invoice_sequence'), $1, \(AccountID.number("$2", "$3")),
            $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22
        WHERE coalesce(current_setting('responder.refusal', true), '') = ''
        """

    private static func claiming(
        _ claim: InvoiceClaim?, for invoice: IssuedInvoice
    ) throws(LedgerFault) -> [Query] {
        switch claim {
        case .challenge(let challenge):
            [
                try query(
                    """
                    WITH used AS (
                        INSERT INTO used_challenge (bytes, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1
                    )
                    SELECT set_config(
                        'responder.refusal', CASE WHEN EXISTS (SELECT 1 FROM used) THEN '' ELSE 'LR007' END, true)
                    """,
                    [.blob(challenge.bytes), try .time(challenge.expiresAt)])
            ]
        case .offer(let offer):
            [try claimOffer(offer, at: invoice.createdAt)]
                + (try offer.request.map { request throws(LedgerFault) in [try claimRequest(request, for: invoice)] }
                    ?? [])
        case .request(let request): [try claimRequest(request, for: invoice)]
        case nil: []
        }
    }

    private static func claimRequest(
        _ request: RequestDigest, for invoice: IssuedInvoice
    ) throws(LedgerFault) -> Query {
        try query(
            "SELECT claim_request($1, $2, $3, $4, $3)",
            [
                .blob(request.bytes), .blob(invoice.paymentHash.bytes), try .time(invoice.createdAt),
                try .time(invoice.expiresAt),
            ])
    }

    /// The invoice with that hash, or nil.
    package func invoice(
        _ paymentHash: PaymentHash, createdAt: UnixTime?
    ) async throws(LedgerFault) -> IssuedInvoice? {
        // No invoice is that young.
        guard (createdAt?.seconds ?? 0) < Self.endOfTime else { return nil }
        let query = try Self.finding(paymentHash, createdAt)
        return try await first(query.sql, query.values) { row throws(StorageFault) in try IssuedInvoice(row) }
    }

    /// The invoice with that hash, issued in that second if it is known.
    static func finding(_ paymentHash: PaymentHash, _ createdAt: UnixTime?) throws(LedgerFault) -> Query {
        guard let createdAt else { return Query(byHash, [.blob(paymentHash.bytes)]) }
        return try query(byHashAndTime, [.blob(paymentHash.bytes), try .time(createdAt)])
    }

    private static let byHash = """
        SELECT \(IssuedInvoice.columns) FROM invoice WHERE payment_hash = $1 ORDER BY id DESC LIMIT 1
        """

    private static let byHashAndTime = """
        SELECT \(IssuedInvoice.columns) FROM invoice
        WHERE payment_hash = $1 AND id >= invoice_id($2) AND id < invoice_id($2 + 1)
        """

    /// How many invoices of an account can still be paid, counted up to a limit.
    package func openInvoices(
        of account: AccountID, at now: UnixTime, countingTo limit: UInt64
    ) async throws(LedgerFault) -> OpenInvoices {
        let query = try query(
            """
            SELECT count(*), min(expires_at) FROM (
                SELECT expires_at FROM invoice
                WHERE account = \(AccountID.number("$1", "$2")) AND settled_at IS NULL AND expires_at > $3
                ORDER BY expires_at LIMIT $4
            ) AS open
            """, account.values() + [try .time(now), .integer(Int64(clamping: limit))])
        let found = try await first(query.sql, query.values) { row throws(StorageFault) in
            OpenInvoices(count: try row.unsigned(0), nextExpiry: try row.optionalTime(1))
        }
        return found ?? OpenInvoices(count: 0, nextExpiry: nil)
    }

    /// The invoice issued for a request while it can be paid.
    package func answer(to request: RequestDigest, at now: UnixTime) async throws(LedgerFault) -> IssuedInvoice? {
        let query = try query(
            """
            SELECT \(IssuedInvoice.columns) FROM invoice WHERE id = (
                SELECT invoice.id FROM answered_request AS answered JOIN invoice
                    ON invoice.payment_hash = answered.payment_hash
                    AND invoice.id >= invoice_id(answered.created_at)
                    AND invoice.id < invoice_id(answered.created_at + 1)
                WHERE answered.digest = $1
            ) AND settled_at IS NULL AND expires_at > $2
            """, [.blob(request.bytes), try .time(now)])
        return try await first(query.sql, query.values) { row throws(StorageFault) in try IssuedInvoice(row) }
    }

    /// Whether a challenge has been used.
    package func isUsed(_ challenge: UsedChallenge) async throws(LedgerFault) -> Bool {
        try await read(Query("SELECT 1 FROM used_challenge WHERE bytes = $1", [.blob(challenge.bytes)])).count > 0
    }

    /// A page of invoices, newest first.
    package func invoices(_ query: InvoiceQuery) async throws(LedgerFault) -> InvoicePage {
        let listing = try rethrowing(Self.listing(query)) { (fault: StorageFault) in LedgerFault(fault) }
        let found = try await rows(listing.sql, listing.values) { row throws(StorageFault) in
            (position: try row.integer(IssuedInvoice.columnCount), element: try IssuedInvoice(row))
        }
        // One more than requested is read, to know whether there is a next page.
        return Page(of: query.limit, from: found)
    }

    private static func listing(_ query: InvoiceQuery) throws(StorageFault) -> Query {
        var listing = Listing(after: query.after, limit: query.limit)
        if let account = query.account { listing.require("account = ", account) }
        if let backend = query.backend { listing.require("backend = ", .text(backend.description)) }
        switch query.state {
        case .open:
            listing.require("settled_at IS NULL")
            listing.require("expires_at > ", try .time(query.now))
        case .expired:
            listing.require("settled_at IS NULL")
            listing.require("expires_at <= ", try .time(query.now))
        case .settled: listing.require("settled_at IS NOT NULL")
        case nil: break
        }
        return listing.query(of: IssuedInvoice.columns, from: "invoice")
    }
}
