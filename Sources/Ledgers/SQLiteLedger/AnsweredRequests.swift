import LedgerRecords
package import LightningCoding
import LightningCrypto
package import ResponderModel

extension LedgerDatabase {
    /// The invoice issued for a request while it can be paid.
    package func answer(to request: RequestDigest, at now: UnixTime) async throws(LedgerFault) -> IssuedInvoice? {
        try await read { connection throws(StorageFault) in
            try connection.first(
                """
                SELECT \(IssuedInvoice.columns) FROM invoice
                WHERE payment_hash = (SELECT payment_hash FROM answered_request WHERE digest = ?1)
                    AND settled_at IS NULL AND expires_at > ?2
                """,
                [.blob(request.bytes), try .time(now)], read: IssuedInvoice.init
            )
        }
    }
}

extension Connection {
    /// The maximum number of requests kept; older ones are deleted early.
    private static let rememberedRequests: Int64 = 100_000

    /// Whether a request has an invoice that can be paid.
    func isAnswered(_ request: RequestDigest, at now: UnixTime) throws(StorageFault) -> Bool {
        try first(
            """
            SELECT 1 FROM invoice
            WHERE payment_hash = (SELECT payment_hash FROM answered_request WHERE digest = ?1)
                AND settled_at IS NULL AND expires_at > ?2
            """,
            [.blob(request.bytes), try .time(now)]
        ) { _ in true } ?? false
    }

    func remember(_ request: RequestDigest, answeredBy invoice: IssuedInvoice) throws(StorageFault) {
        try run(
            """
            INSERT INTO answered_request (digest, payment_hash, expires_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (digest) DO UPDATE SET payment_hash = excluded.payment_hash, expires_at = excluded.expires_at
            """,
            [.blob(request.bytes), .blob(invoice.paymentHash.bytes), try .time(invoice.expiresAt)]
        )
        try run(
            "DELETE FROM answered_request WHERE id <= (SELECT max(id) FROM answered_request) - ?1",
            [.integer(Self.rememberedRequests)]
        )
    }
}
