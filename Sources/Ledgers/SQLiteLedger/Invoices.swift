import Bolt12
package import ResponderModel
import LedgerRecords
package import LightningCoding
package import LightningCrypto
import Platform

extension LedgerDatabase {
    package func makePartition(for moment: UnixTime) {}

    package func record(_ invoice: IssuedInvoice, using claim: InvoiceClaim?) async throws(LedgerFault) {
        try await write { connection throws(LedgerFault) in
            switch claim {
            case .offer(let offer):
                if let fault = try connection.obstacle(to: offer, at: invoice.createdAt) { throw fault }
            case .request(let request):
                if try connection.isAnswered(request, at: invoice.createdAt) { throw .requestAnswered }
            case .challenge(let challenge):
                try connection.run(
                    "INSERT INTO used_challenge (bytes, expires_at) VALUES ($1, $2)",
                    [.blob(challenge.bytes), .time(challenge.expiresAt)])
            case nil: break
            }
            try connection.run(Connection.addingInvoice, invoice.values())
            switch claim {
            case .offer(let offer):
                if let request = offer.request { try connection.remember(request, answeredBy: invoice) }
            case .request(let request): try connection.remember(request, answeredBy: invoice)
            case .challenge, nil: break
            }
        }
        observers.tell(.issued(invoice))
    }

    package func invoice(
        _ paymentHash: PaymentHash, createdAt: UnixTime?
    ) async throws(LedgerFault) -> IssuedInvoice? {
        let invoice = try await read { connection throws(LedgerFault) in try connection.invoice(paymentHash) }
        return createdAt == nil || invoice?.createdAt == createdAt ? invoice : nil
    }

    package func answer(to request: RequestDigest, at now: UnixTime) async throws(LedgerFault) -> IssuedInvoice? {
        try await first(
            """
            SELECT \(IssuedInvoice.columns) FROM invoice
            WHERE payment_hash = (SELECT payment_hash FROM answered_request WHERE digest = $1)
                AND settled_at IS NULL AND expires_at > $2
            """,
            [.blob(request.bytes), .time(now)], IssuedInvoice.init)
    }

    package func obstacle(to claim: OfferClaim, at now: UnixTime) async throws(LedgerFault) -> LedgerFault? {
        try await read { connection throws(LedgerFault) in try connection.obstacle(to: claim, at: now) }
    }

    package func expiredInvoices(
        of backend: BackendName, before moment: UnixTime, after mark: ExpiredInvoice.Mark?, limit: Int
    ) async throws(LedgerFault) -> [ExpiredInvoice] {
        try await rows(
            Self.expired,
            [
                .text(backend.description), .time(moment), .integer(Int64(clamping: limit)),
                .integer(mark?.account ?? 0), .time(mark?.expiresAt ?? UnixTime(0)), .integer(mark?.position ?? 0),
            ], within: longWork
        ) { row throws(LedgerFault) in
            let expiresAt = try row.time("expires_at")
            return ExpiredInvoice(
                paymentHash: try row.blob("payment_hash") { try PaymentHash($0) },
                createdAt: try row.time("created_at"),
                expiresAt: expiresAt,
                mark: ExpiredInvoice.Mark(
                    account: try row.integer("account"), expiresAt: expiresAt, position: try row.integer("position")))
        }
    }

    package func forgetExpired(
        _ paymentHashes: [PaymentHash], issuedIn span: ClosedRange<UnixTime>, before moment: UnixTime,
        under lease: Lease
    ) async throws(LedgerFault) -> Int {
        guard !paymentHashes.isEmpty else { return 0 }
        return try await write(under: lease) { connection throws(LedgerFault) in
            var count = 0
            for paymentHash in paymentHashes {
                count += try connection.forget(paymentHash, expiredBefore: moment)
            }
            return count
        }
    }

    /// Iterates over the accounts, of which there are few, and reads the oldest open or expired invoices of each.
    static let expired = """
        SELECT invoice.payment_hash, invoice.created_at, invoice.expires_at, account.id AS account, invoice.id AS position
        FROM account CROSS JOIN invoice INDEXED BY invoice_open
        WHERE account.id >= $4 AND invoice.account = account.id AND invoice.settled_at IS NULL
            AND invoice.expires_at < $2 AND invoice.expires_at >= iif(account.id = $4, $5, 0)
            AND (account.id > $4 OR invoice.expires_at > $5 OR invoice.id > $6) AND invoice.backend = $1
        ORDER BY account.id, invoice.expires_at, invoice.id LIMIT $3
        """
}

extension Connection {
    func invoice(_ paymentHash: PaymentHash) throws(LedgerFault) -> IssuedInvoice? {
        try first(Self.invoice, [.blob(paymentHash.bytes)], IssuedInvoice.init)
    }

    private static let invoice = "SELECT \(IssuedInvoice.columns) FROM invoice WHERE payment_hash = $1"

    /// The maximum number of requests kept; older ones are deleted early.
    private static let rememberedRequests: Int64 = 100_000

    fileprivate func isAnswered(_ request: RequestDigest, at now: UnixTime) throws(LedgerFault) -> Bool {
        try exists(
            """
            SELECT 1 FROM invoice
            WHERE payment_hash = (SELECT payment_hash FROM answered_request WHERE digest = $1)
                AND settled_at IS NULL AND expires_at > $2
            """,
            [.blob(request.bytes), .time(now)])
    }

    fileprivate func remember(_ request: RequestDigest, answeredBy invoice: IssuedInvoice) throws(LedgerFault) {
        try run(
            """
            INSERT INTO answered_request (digest, payment_hash, expires_at) VALUES ($1, $2, $3)
            ON CONFLICT (digest) DO UPDATE SET payment_hash = excluded.payment_hash, expires_at = excluded.expires_at
            """,
            [.blob(request.bytes), .blob(invoice.paymentHash.bytes), .time(invoice.expiresAt)])
        try run(
            "DELETE FROM answered_request WHERE id <= (SELECT max(id) FROM answered_request) - $1",
            [.integer(Self.rememberedRequests)])
    }

    /// Why no further invoice may be given out for an offer. An invoice that can still be paid counts like a payment, and so does
    /// one that could, until its node has been followed for `OfferClaim.grace` beyond its time: else two payers could pay an offer
    /// for a single payment.
    fileprivate func obstacle(to claim: OfferClaim, at now: UnixTime) throws(LedgerFault) -> LedgerFault? {
        let offer = try first(
            "SELECT disabled_at, maximum_payments FROM offer WHERE offer_id = $1", [.blob(claim.offer.bytes)]
        ) { row throws(LedgerFault) in
            (
                isDisabled: try !row.isNull("disabled_at"),
                maximum: try row.isNull("maximum_payments") ? nil : row.unsigned("maximum_payments")
            )
        }
        guard let offer else { return .unknownOffer }
        guard !offer.isDisabled else { return .offerDisabled }
        if let request = claim.request, try isAnswered(request, at: now) { return .requestAnswered }
        guard let maximum = offer.maximum else { return nil }
        let taken = try first(
            """
            SELECT count(*) AS count FROM invoice LEFT JOIN followed_span ON followed_span.backend = invoice.backend
            WHERE invoice.offer = $1
                AND (invoice.settled_at IS NOT NULL OR invoice.expires_at > min($2, coalesce(followed_span.until, 0)) - $3)
            """,
            [.blob(claim.offer.bytes), .time(now), .unsigned(OfferClaim.grace)]
        ) { row throws(LedgerFault) in
            try row.unsigned("count")
        }
        return (taken ?? 0) >= maximum ? .offerExhausted : nil
    }

    fileprivate func forget(_ paymentHash: PaymentHash, expiredBefore moment: UnixTime) throws(LedgerFault) -> Int {
        let hash = StoredValue.blob(paymentHash.bytes)
        guard try !exists("SELECT 1 FROM skipped_settlement WHERE payment_hash = $1 LIMIT 1", [hash]) else { return 0 }
        // The same request may have a newer invoice by now, which the row then names.
        try run(
            """
            DELETE FROM answered_request WHERE payment_hash = (
                SELECT payment_hash FROM invoice WHERE payment_hash = $1 AND settled_at IS NULL AND expires_at < $2
            )
            """,
            [hash, .time(moment)])
        return try changes(
            "DELETE FROM invoice WHERE payment_hash = $1 AND settled_at IS NULL AND expires_at < $2",
            [hash, .time(moment)])
    }
}
