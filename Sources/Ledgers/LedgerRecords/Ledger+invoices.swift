package import ResponderModel
package import LightningCoding

extension SQLLedger {
    package func openInvoices(
        of account: AccountID, at now: UnixTime, countingTo limit: UInt64
    ) async throws(LedgerFault) -> OpenInvoices {
        let found = try await first(
            """
            SELECT count(*) AS count, min(expires_at) AS next_expiry FROM (
                SELECT expires_at FROM invoice \(Connection.indexed(by: "invoice_open"))
                WHERE account = \(AccountID.number("$1", "$2")) AND settled_at IS NULL AND expires_at > $3
                ORDER BY expires_at LIMIT $4
            ) AS open
            """, account.values() + [.time(now), .integer(Int64(clamping: limit))]
        ) { row throws(LedgerFault) in
            OpenInvoices(count: try row.unsigned("count"), nextExpiry: try row.optionalTime("next_expiry"))
        }
        return found ?? OpenInvoices(count: 0, nextExpiry: nil)
    }

    package func invoices(_ query: InvoiceQuery) async throws(LedgerFault) -> Page<IssuedInvoice> {
        try await page(Self.listing(query), of: query.limit, IssuedInvoice.init)
    }

    /// Each is served by one index, in the order of the page.
    package static func listing(_ query: InvoiceQuery) throws(LedgerFault) -> Listing {
        let index: String? =
            switch (query.account, query.state) {
            case (_?, _): "invoice_by_account"
            case (nil, .settled): "invoice_settled"
            case (nil, .open), (nil, .expired): "invoice_unsettled"
            case (nil, nil): nil
            }
        var listing = Listing(
            of: IssuedInvoice.columns, from: "invoice \(index.map { Connection.indexed(by: $0) } ?? "")",
            after: query.after, limit: query.limit)
        if let account = query.account { listing.requireAccount(account) }
        if let backend = query.backend { listing.require("backend =", .text(backend.description)) }
        switch query.state {
        case .open:
            listing.require("settled_at IS NULL")
            listing.require("expires_at >", try .time(query.now))
        case .expired:
            listing.require("settled_at IS NULL")
            listing.require("expires_at <=", try .time(query.now))
        case .settled: listing.require("settled_at IS NOT NULL")
        case nil: break
        }
        return listing
    }

    package func isUsed(_ challenge: UsedChallenge) async throws(LedgerFault) -> Bool {
        try await read { connection throws(LedgerFault) in
            try connection.exists("SELECT 1 FROM used_challenge WHERE bytes = $1", [.blob(challenge.bytes)])
        }
    }

    package func prune(before now: UnixTime, under lease: Lease) async throws(LedgerFault) -> Int {
        try await write(under: lease, within: longWork) { connection throws(LedgerFault) in
            let time = try StoredValue.time(now)
            try connection.run("DELETE FROM woken_address WHERE woken_at + \(CatchUpState.interval) <= $1", [time])
            try connection.run(
                "DELETE FROM device_statement WHERE signed_at + \(DeviceProfile.statementMemory) <= $1", [time])
            try connection.pruneOwnTables()
            return try connection.changes("DELETE FROM used_challenge WHERE expires_at < $1", [time])
                + connection.changes("DELETE FROM answered_request WHERE expires_at < $1", [time])
        }
    }

    /// Checks that the ledger accepts writes, by inserting and deleting a row in one transaction: it is written all the
    /// same.
    package func probe() async throws(LedgerFault) {
        // Not a challenge: those have 32 bytes.
        let probe = StoredValue.blob(Array("probe".utf8))
        try await write { connection throws(LedgerFault) in
            try connection.run("INSERT INTO used_challenge (bytes, expires_at) VALUES ($1, 0)", [probe])
            try connection.run("DELETE FROM used_challenge WHERE bytes = $1", [probe])
        }
    }
}
