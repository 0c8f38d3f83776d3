import LedgerRecords
package import LightningCoding
package import LightningCrypto
package import ResponderModel

extension ServerLedger {
    /// Deletes expired challenges and requests, and replies that nobody fetches; returns how many of the former.
    package func prune(before now: UnixTime, under lease: Lease) async throws(LedgerFault) -> Int {
        let sets = try await write(
            under: lease, within: Self.longWork,
            query("DELETE FROM used_challenge WHERE expires_at < $1", [try .time(now)]),
            query("DELETE FROM answered_request WHERE expires_at < $1", [try .time(now)]),
            sharedQuery(DeviceStatements.pruneWakes, [try .time(now)]),
            sharedQuery(DeviceStatements.pruneStatements, [try .time(now)]),
            Query("DELETE FROM rate WHERE tat < \(Self.nanoseconds)"), Self.forgettingReplies)
        return sets[0].affected + sets[1].affected
    }

    /// Makes the partitions of the days to come, and gives the days and months of which nothing is open any more a table
    /// without what was deleted. One that is in use gets it later.
    package func arrange(at now: UnixTime, under lease: Lease) async throws(LedgerFault) {
        for day in 0...Self.daysAhead {
            let moment = now.adding(seconds: day * 86_400)
            if moment.seconds < Self.endOfTime { try await makePartition(for: moment) }
        }
        try await replaceTables(at: now, under: lease)
    }

    /// Gives the days and months of which nothing is open any more a table without what was deleted.
    ///
    /// - Parameter lease: nil while no service runs on the ledger.
    /// - Throws: `busy` when one is in use, after all others.
    func replaceTables(at now: UnixTime, under lease: Lease?) async throws(LedgerFault) {
        guard now.seconds < Self.endOfTime else { return }
        let query = try query("SELECT invoice_tables_to_replace($1)", [try .time(now)])
        let names = try await rows(query.sql, query.values, within: Self.longWork) { row throws(StorageFault) in
            try row.text(0)
        }
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

    /// For how many days partitions are made in advance.
    private static let daysAhead: UInt64 = 2

    /// How long the copy of a partition may take.
    private static let copying = Duration.seconds(900)

    /// Puts a new table in the place of old ones, in three transactions; one that ended before is not repeated.
    private func replace(_ table: String, under lease: Lease?) async throws(LedgerFault) {
        for (function, time) in [
            ("close_invoice_tables", Self.longWork), ("fill_invoice_table", Self.copying),
            ("swap_invoice_tables", Self.longWork),
        ] {
            try await write(
                under: lease, within: time, Query("SELECT set_config('lock_timeout', '200ms', true)"),
                Query("SELECT \(function)($1)", [.text(table)]))
        }
    }

    /// Deletes handled notifications older than a moment, and all but the newest ones; returns how many.
    package func pruneEvents(
        before moment: UnixTime, keeping newest: UInt64, under lease: Lease
    ) async throws(LedgerFault) -> Int {
        let sets = try await write(
            under: lease, within: Self.longWork,
            query("DELETE FROM event WHERE received_at < $1", [try .time(moment)]),
            Query(
                "DELETE FROM event WHERE id <= (SELECT id FROM event ORDER BY id DESC LIMIT 1 OFFSET $1)",
                [.integer(Int64(clamping: newest))]))
        return sets.reduce(0) { $0 + $1.affected }
    }

    /// Invoices of a backend that expired unpaid before a moment, oldest first.
    package func expiredInvoices(
        of backend: BackendName, before moment: UnixTime, after mark: ExpiredInvoice.Mark?, limit: Int
    ) async throws(LedgerFault) -> [ExpiredInvoice] {
        let query = try query(
            """
            SELECT payment_hash, created_at, expires_at, id FROM invoice
            WHERE settled_at IS NULL AND id > $1 AND expires_at < $2 AND backend = $3 ORDER BY id LIMIT $4
            """,
            [
                .integer(mark?.position ?? -1), try .time(moment), .text(backend.description),
                .integer(Int64(clamping: limit)),
            ])
        return try await rows(query.sql, query.values, within: Self.longWork) { row throws(StorageFault) in
            let expiresAt = try row.time(2)
            return ExpiredInvoice(
                paymentHash: try row.blob(0) { try PaymentHash($0) }, createdAt: try row.time(1), expiresAt: expiresAt,
                mark: ExpiredInvoice.Mark(account: 0, expiresAt: expiresAt, position: try row.integer(3)))
        }
    }

    /// Deletes those of these invoices that expired unpaid before a moment; returns how many.
    package func forgetExpired(
        _ paymentHashes: [PaymentHash], issuedIn span: ClosedRange<UnixTime>, before moment: UnixTime,
        under lease: Lease
    ) async throws(LedgerFault) -> Int {
        guard !paymentHashes.isEmpty, span.lowerBound.seconds < Self.endOfTime else { return 0 }
        let sets = try await write(
            under: lease, within: Self.longWork,
            query(
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
                SELECT count(*) FROM forgotten
                """,
                [
                    .blobs(paymentHashes.map(\.bytes)), try .time(moment), try .time(span.lowerBound),
                    try .time(min(span.upperBound.adding(seconds: 1), UnixTime(Self.endOfTime - 1))),
                ]))
        return try await LedgerFault.asking(
            try sets[0].first { row throws(StorageFault) in Int(try row.integer(0)) } ?? 0)
    }

    /// Checks that the ledger accepts writes, by inserting and deleting a row in one transaction.
    package func probe() async throws(LedgerFault) {
        try await write(
            Query("INSERT INTO used_challenge (bytes, expires_at) VALUES ($1, 0)", [.blob(Self.probe)]),
            Query("DELETE FROM used_challenge WHERE bytes = $1", [.blob(Self.probe)]))
    }

    /// Not a challenge: those have 32 bytes.
    private static let probe = Array("probe".utf8)
}
