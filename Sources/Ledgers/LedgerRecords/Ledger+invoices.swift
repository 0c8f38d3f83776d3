package import ResponderModel
import LNURL
package import LightningCoding
package import LightningCrypto

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

    package func invoices(_ query: InvoiceQuery) async throws(LedgerFault) -> InvoicePage {
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

extension SQLLedger {
    /// Checks all contents, and the files as far as the database can.
    ///
    /// - Parameter payees: the keys of the nodes; the payees of other nodes' invoices are not checked.
    /// - Throws: only when nothing can be checked; problems in the ledger are in the report.
    package func check(payees: [BackendName: PublicKey] = [:]) async throws(LedgerFault) -> LedgerReport {
        var report = LedgerReport()
        do throws(LedgerFault) {
            report.findings = try await fileProblems().map(LedgerReport.Finding.file)
            try await checkAccounts(&report)
            try await walk(ExaminedInvoice.next, &report, ExaminedInvoice.init) { $1.add(to: &$0, payees) }
            // Invoices that events mention are not looked up: unpaid ones are deleted earlier than their events.
            try await walk(ExaminedEvent.next, &report, ExaminedEvent.init) { report, event in
                report.events += 1
                report.findings += event.finding.map { [$0] } ?? []
            }
            try await checkRegistrations(&report)
        } catch .corrupt(let text) {
            report.findings.append(.file(text))
        }
        return report
    }

    /// Reads all rows of a table, some at a time.
    ///
    /// - Parameter next: a query for the next rows behind the position `$1`.
    private func walk<Examined: ExaminedRow>(
        _ next: String, _ report: inout LedgerReport,
        _ read: @escaping @Sendable (Connection.Row) throws(LedgerFault) -> Examined,
        _ add: (inout LedgerReport, Examined) -> Void
    ) async throws(LedgerFault) {
        var position: Int64 = -1
        while report.findings.count < LedgerReport.findingsLimit {
            let rows = try await rows(next, [.integer(position)], within: longWork, read)
            guard let last = rows.last else { return }
            position = last.position
            for row in rows { add(&report, row) }
        }
    }

    private func checkAccounts(_ report: inout LedgerReport) async throws(LedgerFault) {
        let accounts = try await rows(Account.query, within: longWork) { row throws(LedgerFault) in
            (
                address: try row.text("address"),
                isReadable: (try? PayMetadata(parsing: Account(row).metadata)) != nil
            )
        }
        let broken = try await rows(Account.withGaps, within: longWork) { row throws(LedgerFault) in
            try row.text("address")
        }
        report.accounts = accounts.count
        report.findings += accounts.filter { !$0.isReadable }.map { .account($0.address) }
        report.findings += broken.map { .versions(account: $0) }
    }

    private func checkRegistrations(_ report: inout LedgerReport) async throws(LedgerFault) {
        report.findings += try await rows(RegistrationTable.sharedNames, within: longWork) { row throws(LedgerFault) in
            .sharedName(try row.text("address"))
        }
        let broken = try await first(RegistrationTable.brokenStatements) { row throws(LedgerFault) in
            try row.integer("count")
        }
        if let broken, broken > 0 { report.findings.append(.statements(Int(clamping: broken))) }
        for table in RegistrationTable.allCases {
            try await walk(table.next, &report, table.examine) { report, row in
                if table == .registration { report.registrations += 1 }
                report.findings += row.finding.map { [$0] } ?? []
            }
        }
    }
}

/// A row that is checked, at the ledger's own number.
package protocol ExaminedRow: Sendable {
    var position: Int64 { get }
}

/// A row of the event log, which may be damaged.
private struct ExaminedEvent: ExaminedRow {
    let position: Int64
    let finding: LedgerReport.Finding?

    static let next = """
        SELECT \(EventRecord.columns), id AS position FROM event WHERE id > $1 ORDER BY id LIMIT 500
        """

    init(_ row: some StoredRow) throws(LedgerFault) {
        position = try row.integer("position")
        let event = row.attempt { row throws(LedgerFault) in try EventRecord(row) }
        finding = if case .failure(let damage) = event { .eventRow(position: position, damage.words) } else { nil }
    }
}
