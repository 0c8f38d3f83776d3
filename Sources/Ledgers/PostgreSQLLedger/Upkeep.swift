package import LightningCoding
package import LightningCrypto
package import ResponderModel
import LedgerRecords

extension ServerLedger {
    /// Makes the partitions of the days to come, and gives the days and months without open invoices a table
    /// without what was deleted. One that is in use gets it later.
    package func arrange(at now: UnixTime, under lease: Lease) async throws(LedgerFault) {
        for day in 0...Self.daysAhead {
            let moment = now.adding(seconds: day * 86_400)
            if moment.seconds < Self.endOfTime { try await makePartition(for: moment) }
        }
        try await replaceTables(at: now, under: lease)
    }

    /// Gives the days and months without open invoices a table without what was deleted.
    ///
    /// - Parameter lease: nil while no service runs on the ledger.
    /// - Throws: `busy` when one is in use, after all others.
    func replaceTables(at now: UnixTime, under lease: Lease?) async throws(LedgerFault) {
        guard now.seconds < Self.endOfTime else { return }
        let names = try await rows(
            "SELECT invoice_tables_to_replace($1) AS name", [.time(now)], within: longWork
        ) { row throws(LedgerFault) in try row.text("name") }
        var fault: LedgerFault?
        for name in names {
            do throws(LedgerFault) {
                try await replace(name, under: lease)
            } catch .leaseLost {
                throw .leaseLost
            } catch let other {
                fault = fault ?? other
            }
        }
        if let fault { throw fault }
    }

    private static let daysAhead: UInt64 = 2

    private static let copying = Duration.seconds(900)

    /// Puts a new table in the place of old ones, in three transactions; one that ended before is not repeated.
    private func replace(_ table: String, under lease: Lease?) async throws(LedgerFault) {
        for (function, time) in [
            ("close_invoice_tables", longWork), ("fill_invoice_table", Self.copying),
            ("swap_invoice_tables", longWork),
        ] {
            try await write(
                under: lease, within: time,
                [
                    Query("SELECT set_config('lock_timeout', '200ms', true)"),
                    Query("SELECT \(function)($1)", [.text(table)]),
                ])
        }
    }

    package func expiredInvoices(
        of backend: BackendName, before moment: UnixTime, after mark: ExpiredInvoice.Mark?, limit: Int
    ) async throws(LedgerFault) -> [ExpiredInvoice] {
        try await rows(
            """
            SELECT payment_hash, created_at, expires_at, id FROM invoice
            WHERE settled_at IS NULL AND id > $1 AND id < invoice_id($2) AND expires_at < $2 AND backend = $3
            ORDER BY id LIMIT $4
            """,
            [
                .integer(mark?.position ?? -1), .time(moment), .text(backend.description),
                .integer(Int64(clamping: limit)),
            ], within: longWork
        ) { row throws(LedgerFault) in
            let paymentHash = try row.blob("payment_hash") { try PaymentHash($0) }
            let (createdAt, expiresAt) = (try row.time("created_at"), try row.time("expires_at"))
            return ExpiredInvoice(
                paymentHash: paymentHash, createdAt: createdAt, expiresAt: expiresAt,
                mark: ExpiredInvoice.Mark(account: 0, expiresAt: expiresAt, position: try row.integer("id")))
        }
    }

    package func forgetExpired(
        _ paymentHashes: [PaymentHash], issuedIn span: ClosedRange<UnixTime>, before moment: UnixTime,
        under lease: Lease
    ) async throws(LedgerFault) -> Int {
        guard !paymentHashes.isEmpty, span.lowerBound.seconds < Self.endOfTime else { return 0 }
        let upperBound = min(span.upperBound.adding(seconds: 1), UnixTime(Self.endOfTime - 1))
        let sets = try await write(
            under: lease, within: longWork,
            [
                Query(
                    """
                    WITH forgotten AS (
                        DELETE FROM invoice WHERE payment_hash = ANY ($1) AND settled_at IS NULL AND expires_at < $2
                            AND id >= invoice_id($3) AND id < invoice_id($4) AND NOT EXISTS (
                                SELECT 1 FROM skipped_settlement AS skipped
                                WHERE skipped.payment_hash = invoice.payment_hash)
                        RETURNING payment_hash
                    ), requests AS (
                        DELETE FROM answered_request USING forgotten
                        WHERE answered_request.payment_hash = forgotten.payment_hash
                    )
                    SELECT count(*) AS count FROM forgotten
                    """,
                    [.blobs(paymentHashes.map(\.bytes))]
                        + [StoredValue.time(moment), .time(span.lowerBound), .time(upperBound)].map(Value.one))
            ])
        return try sets[0].rows { row throws(LedgerFault) in Int(try row.integer("count")) }.first ?? 0
    }
}
