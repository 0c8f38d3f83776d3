import LedgerRecords
package import LightningCoding
package import LightningCrypto
package import ResponderModel

extension LedgerDatabase {
    /// Invoices of a backend that expired unpaid before a moment.
    package func expiredInvoices(
        of backend: BackendName, before moment: UnixTime, after mark: ExpiredInvoice.Mark?, limit: Int
    ) async throws(LedgerFault) -> [ExpiredInvoice] {
        try await read { connection throws(StorageFault) in
            try connection.rows(
                Self.expired,
                [
                    .text(backend.description), try .time(moment), .integer(Int64(clamping: limit)),
                    .integer(mark?.account ?? 0), try .time(mark?.expiresAt ?? UnixTime(0)),
                    .integer(mark?.position ?? 0),
                ]
            ) { row throws(StorageFault) in
                let expiresAt = try row.time(2)
                return ExpiredInvoice(
                    paymentHash: try row.blob(0) { try PaymentHash($0) }, createdAt: try row.time(1),
                    expiresAt: expiresAt,
                    mark: ExpiredInvoice.Mark(
                        account: try row.integer(3), expiresAt: expiresAt, position: try row.integer(4)))
            }
        }
    }

    /// Deletes those of these invoices that expired unpaid before a moment; returns how many.
    package func forgetExpired(
        _ paymentHashes: [PaymentHash], issuedIn span: ClosedRange<UnixTime>, before moment: UnixTime,
        under lease: Lease
    ) async throws(LedgerFault) -> Int {
        guard !paymentHashes.isEmpty else { return 0 }
        return try await write(under: lease) { connection throws(StorageFault) in
            var count = 0
            for paymentHash in paymentHashes {
                count += try connection.forget(paymentHash, expiredBefore: moment)
            }
            return count
        }
    }

    /// Iterates over the accounts, of which there are few, and reads the oldest open or expired invoices of each.
    static let expired = """
        SELECT invoice.payment_hash, invoice.created_at, invoice.expires_at, account.id, invoice.id
        FROM account CROSS JOIN invoice INDEXED BY invoice_open
        WHERE account.id >= ?4 AND invoice.account = account.id AND invoice.settled_at IS NULL
            AND invoice.expires_at < ?2 AND invoice.expires_at >= iif(account.id = ?4, ?5, 0)
            AND (account.id > ?4 OR invoice.expires_at > ?5 OR invoice.id > ?6) AND invoice.backend = ?1
        ORDER BY account.id, invoice.expires_at, invoice.id LIMIT ?3
        """
}

extension Connection {
    fileprivate func forget(_ paymentHash: PaymentHash, expiredBefore moment: UnixTime) throws(StorageFault) -> Int {
        let values: [Value] = [.blob(paymentHash.bytes), try .time(moment)]
        let isSkipped = try first(
            "SELECT 1 FROM skipped_settlement WHERE payment_hash = ?1 LIMIT 1", [.blob(paymentHash.bytes)]
        ) { row throws(StorageFault) in true }
        guard isSkipped == nil else { return 0 }
        // The same request may have a newer invoice by now, which the row then names.
        try run(
            """
            DELETE FROM answered_request WHERE payment_hash = (
                SELECT payment_hash FROM invoice WHERE payment_hash = ?1 AND settled_at IS NULL AND expires_at < ?2
            )
            """,
            values
        )
        return try run(
            "DELETE FROM invoice WHERE payment_hash = ?1 AND settled_at IS NULL AND expires_at < ?2", values
        )
    }
}
