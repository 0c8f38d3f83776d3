import Bolt12
import LNURL
import LedgerRecords
package import LightningCrypto
package import ResponderModel

extension LedgerDatabase {
    /// Checks the file and all its contents.
    ///
    /// - Parameter payees: the keys of the nodes; the payees of other nodes' invoices are not checked.
    /// - Throws: only when nothing can be checked; problems in the ledger are in the report.
    package func check(payees: [BackendName: PublicKey] = [:]) async throws(LedgerFault) -> LedgerReport {
        var report = LedgerReport()
        do {
            report.findings = try await database.integrityProblems().map(LedgerReport.Finding.file)
            try await checkAccounts(&report)
            try await checkInvoices(&report, payees)
            try await checkEvents(&report)
            try await checkRegistrations(&report)
        } catch .corrupt(let text) {
            report.findings.append(.file(text))
        } catch {
            throw LedgerFault(error)
        }
        return report
    }

    private func checkAccounts(_ report: inout LedgerReport) async throws(StorageFault) {
        let accounts = try await database.read { connection throws(StorageFault) in
            try connection.rows(Account.query) { row throws(StorageFault) in
                (
                    name: try row.text(8), isReadable: (try? PayMetadata(parsing: Account(row).metadata)) != nil
                )
            }
        }
        let broken = try await database.read { connection throws(StorageFault) in
            try connection.rows(Self.accountsWithGaps) { row throws(StorageFault) in try row.text(0) }
        }
        report.accounts = accounts.count
        report.findings += accounts.filter { !$0.isReadable }.map { .account($0.name) }
        report.findings += broken.map { .versions(account: $0) }
    }

    /// Versions are unique, so an account with as many as its current number has all of them, from 1 on.
    private static let accountsWithGaps = """
        SELECT account.name || '@' || domain.name
        FROM account JOIN domain ON domain.id = account.domain LEFT JOIN account_version ON account_version.account = account.id
        GROUP BY account.id
        HAVING count(account_version.id) != account.version
            OR min(account_version.version) != 1
            OR max(account_version.version) != account.version
        """

    private func checkInvoices(
        _ report: inout LedgerReport, _ payees: [BackendName: PublicKey]
    ) async throws(StorageFault) {
        var position: Int64 = 0
        while report.findings.count < LedgerReport.findingsLimit {
            let rows = try await database.read { [position] connection throws(StorageFault) in
                try connection.rows(ExaminedInvoice.next, [.integer(position)], read: ExaminedInvoice.init)
            }
            guard let last = rows.last else { return }
            position = last.position
            for row in rows { row.add(to: &report, payees) }
        }
    }
}

extension ExaminedInvoice {
    fileprivate init(_ row: borrowing Row) throws(StorageFault) {
        let count = IssuedInvoice.columnCount
        let invoice = row.attempt { row throws(StorageFault) in try IssuedInvoice(row) }
        self.init(
            position: try row.integer(count), metadata: try row.optionalText(count + 1),
            hasOffer: try row.integer(count + 2) != 0, invoice)
    }
}

extension LedgerDatabase {
    /// Reads every row of the event log. Invoices it mentions are not looked up: unpaid ones are deleted earlier than
    /// their events.
    func checkEvents(_ report: inout LedgerReport) async throws(StorageFault) {
        var position: Int64 = 0
        while report.findings.count < LedgerReport.findingsLimit {
            let rows = try await database.read { [position] connection throws(StorageFault) in
                try connection.rows(Self.nextEvents, [.integer(position)], read: ExaminedEvent.init)
            }
            guard let last = rows.last else { return }
            position = last.position
            report.events += rows.count
            report.findings += rows.compactMap(\.finding)
        }
    }

    private static let nextEvents = "SELECT \(EventRecord.columns), id FROM event WHERE id > ?1 ORDER BY id LIMIT 500"
}

/// A row of the event log, which may be damaged.
private struct ExaminedEvent: Sendable {
    let position: Int64
    let finding: LedgerReport.Finding?

    init(_ row: borrowing Row) throws(StorageFault) {
        position = try row.integer(EventRecord.columnCount)
        let event = row.attempt { row throws(StorageFault) in try EventRecord(row) }
        finding = if case .failure(let damage) = event { .eventRow(position: position, damage.words) } else { nil }
    }
}

extension LedgerDatabase {
    /// Reads every registration, every name that is kept, and every paid invoice of a device.
    func checkRegistrations(_ report: inout LedgerReport) async throws(StorageFault) {
        report.findings += try await database.read { connection throws(StorageFault) in
            try connection.rows(RegistrationTable.sharedNames) { row throws(StorageFault) in
                .sharedName(try row.text(0))
            }
        }
        let broken = try await database.read { connection throws(StorageFault) in
            try connection.first(RegistrationTable.brokenStatements) { row throws(StorageFault) in try row.integer(0) }
        }
        if let broken, broken > 0 { report.findings.append(.statements(Int(clamping: broken))) }
        for table in RegistrationTable.allCases { try await check(table, &report) }
    }

    private func check(_ table: RegistrationTable, _ report: inout LedgerReport) async throws(StorageFault) {
        var position: Int64 = 0
        while report.findings.count < LedgerReport.findingsLimit {
            let rows = try await database.read { [position] connection throws(StorageFault) in
                try connection.rows(table.next, [.integer(position)]) { row throws(StorageFault) in
                    try table.examine(row)
                }
            }
            guard let last = rows.last else { return }
            position = last.position
            if table == .registration { report.registrations += rows.count }
            report.findings += rows.compactMap(\.finding)
        }
    }
}

extension LedgerDatabase {
    /// Checks that the ledger accepts writes, by inserting and deleting a row in one transaction: the pages are written
    /// all the same.
    package func probe() async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in
            try connection.run("INSERT INTO used_challenge (bytes, expires_at) VALUES (?1, 0)", [.blob(Self.probe)])
            try connection.run("DELETE FROM used_challenge WHERE bytes = ?1", [.blob(Self.probe)])
        }
    }

    /// Not a challenge: those have 32 bytes.
    private static let probe = Array("probe".utf8)
}
