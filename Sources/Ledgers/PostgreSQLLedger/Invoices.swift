import Bolt12
package import LightningCoding
package import LightningCrypto
import Platform
package import ResponderModel
import LedgerRecords

extension ServerLedger {
    /// Stores an invoice and consumes its claim, in one round trip; makes the partition of its day if that is missing.
    package func record(_ invoice: IssuedInvoice, using claim: InvoiceClaim?) async throws(LedgerFault) {
        let queries =
            try Self.claiming(claim, for: invoice) + [Query(Session.addingInvoice, invoice.values())]
        let sets = try await write(inPartitionOf: invoice.createdAt, queries)
        for claimed in sets.dropLast() {
            let refusals = try claimed.rows { row throws(LedgerFault) in BrokenRule(rawValue: try row.text("refusal")) }
            if let refusal = refusals.first ?? nil { throw refusal.fault }
        }
        observers.tell(.issued(invoice))
    }

    package func makePartition(for moment: UnixTime) async throws(LedgerFault) {
        guard moment.seconds < Self.endOfTime else { throw .unstorable("a time is above 2^43 - 1") }
        try await change("SELECT make_invoice_partition($1)", [.time(moment)])
    }

    /// When ids no longer fit into 63 bits.
    static let endOfTime: UInt64 = 1 << 43

    private static func claiming(
        _ claim: InvoiceClaim?, for invoice: IssuedInvoice
    ) throws(LedgerFault) -> [Query] {
        switch claim {
        case .challenge(let challenge):
            [
                Query(
                    """
                    WITH used AS (
                        INSERT INTO used_challenge (bytes, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1
                    )
                    SELECT set_config(
                        'responder.refusal', CASE WHEN EXISTS (SELECT 1 FROM used) THEN '' ELSE 'LR007' END, true)
                        AS refusal
                    """,
                    [.blob(challenge.bytes), try .time(challenge.expiresAt)])
            ]
        case .offer(let offer):
            [Query("SELECT claim_offer($1, $2, $3, $4) AS refusal", try values(of: offer, at: invoice.createdAt))]
                + (try offer.request.map { request throws(LedgerFault) in [try claimRequest(request, for: invoice)] }
                    ?? [])
        case .request(let request): [try claimRequest(request, for: invoice)]
        case nil: []
        }
    }

    private static func claimRequest(
        _ request: RequestDigest, for invoice: IssuedInvoice
    ) throws(LedgerFault) -> Query {
        Query(
            "SELECT claim_request($1, $2, $3, $4, $3) AS refusal",
            [
                .blob(request.bytes), .blob(invoice.paymentHash.bytes), try .time(invoice.createdAt),
                try .time(invoice.expiresAt),
            ])
    }

    package func invoice(
        _ paymentHash: PaymentHash, createdAt: UnixTime?
    ) async throws(LedgerFault) -> IssuedInvoice? {
        // No invoice is that young.
        guard (createdAt?.seconds ?? 0) < Self.endOfTime else { return nil }
        return try await database.read(Self.finding(paymentHash, createdAt)).rows(IssuedInvoice.init).first
    }

    /// The invoice with that hash, issued in that second if it is known.
    static func finding(_ paymentHash: PaymentHash, _ createdAt: UnixTime?) throws(LedgerFault) -> Query {
        guard let createdAt else { return Query(byHash, [.blob(paymentHash.bytes)]) }
        return Query(byHashAndTime, [.blob(paymentHash.bytes), try .time(createdAt)])
    }

    private static let byHash = """
        SELECT \(IssuedInvoice.columns) FROM invoice WHERE payment_hash = $1 ORDER BY id DESC LIMIT 1
        """

    private static let byHashAndTime = """
        SELECT \(IssuedInvoice.columns) FROM invoice
        WHERE payment_hash = $1 AND id >= invoice_id($2) AND id < invoice_id($2 + 1)
        """

    package func answer(to request: RequestDigest, at now: UnixTime) async throws(LedgerFault) -> IssuedInvoice? {
        try await first(
            """
            SELECT \(IssuedInvoice.columns) FROM invoice WHERE id = (
                SELECT invoice.id FROM answered_request AS answered JOIN invoice
                    ON invoice.payment_hash = answered.payment_hash
                    AND invoice.id >= invoice_id(answered.created_at)
                    AND invoice.id < invoice_id(answered.created_at + 1)
                WHERE answered.digest = $1
            ) AND settled_at IS NULL AND expires_at > $2
            """, [.blob(request.bytes), .time(now)], IssuedInvoice.init)
    }

    package func obstacle(to claim: OfferClaim, at now: UnixTime) async throws(LedgerFault) -> LedgerFault? {
        let found = try await first(
            "SELECT offer_obstacle($1, $2, $3, $4) AS obstacle", Self.values(of: claim, at: now)
        ) { row throws(LedgerFault) in try row.optionalText("obstacle") }
        guard let code = found ?? nil else { return nil }
        guard let rule = BrokenRule(rawValue: code) else { throw .corrupt("an unknown obstacle to an offer") }
        return rule.fault
    }

    private static func values(of claim: OfferClaim, at now: UnixTime) throws(LedgerFault) -> [StoredValue] {
        [
            .blob(claim.offer.bytes), .optionalBlob(claim.request?.bytes), try .time(now),
            try .unsigned(OfferClaim.grace),
        ]
    }
}
