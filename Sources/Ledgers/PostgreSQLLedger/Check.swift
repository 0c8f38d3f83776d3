import LNURL
import LedgerRecords
package import LightningCrypto
package import ResponderModel

extension ServerLedger {
    /// Checks all contents, a page at a time. The server checks its own files.
    ///
    /// - Parameter payees: the keys of the nodes; the payees of other nodes' invoices are not checked.
    package func check(payees: [BackendName: PublicKey] = [:]) async throws(LedgerFault) -> LedgerReport {
        var report = LedgerReport()
        try await checkAccounts(&report)
        try await checkInvoices(&report, payees)
        try await checkEvents(&report)
        try await checkRegistrations(&report)
        return report
    }

    private func checkAccounts(_ report: inout LedgerReport) async throws(LedgerFault) {
        let accounts = try await rows(Account.query, within: Self.longWork) { row throws(StorageFault) in
            (name: try row.text(8), isReadable: (try? PayMetadata(parsing: Account(row).metadata)) != nil)
        }
        let broken = try await rows(Self.accountsWithGaps, within: Self.longWork) { row throws(StorageFault) in
            try row.text(0)
        }
        report.accounts = accounts.count
        report.findings += accounts.filter { !$0.isReadable }.map { .account($0.name) }
        report.findings += broken.map { .versions(account: $0) }
    }

    /// Versions are unique, so an account with as many as its current number has all of them, from 1 on.
    private static let accountsWithGaps = """
        SELECT account.name || '@' || domain.name FROM account JOIN domain ON domain.id = account.domain
            LEFT JOIN account_version ON account_version.account = account.id
        GROUP BY account.id, domain.id
        HAVING count(account_version.id) <> account.version OR min(account_version.version) <> 1
            OR max(account_version.version) <> account.version
        """

    private func checkInvoices(
        _ report: inout LedgerReport, _ payees: [BackendName: PublicKey]
    ) async throws(LedgerFault) {
        var position: Int64 = -1
        while report.findings.count < LedgerReport.findingsLimit {
            let examined = try await rows(ExaminedInvoice.next, [.integer(position)], within: Self.longWork) {
                row throws(StorageFault) in
                let count = IssuedInvoice.columnCount
                let invoice = row.attempt { row throws(StorageFault) in try IssuedInvoice(row) }
                return ExaminedInvoice(
                    position: try row.integer(count), metadata: try row.optionalText(count + 1),
                    hasOffer: try row.boolean(count + 2), invoice)
            }
            guard let last = examined.last else { return }
            position = last.position
            for row in examined { row.add(to: &report, payees) }
        }
    }

    private func checkRegistrations(_ report: inout LedgerReport) async throws(LedgerFault) {
        report.findings += try await rows(RegistrationTable.sharedNames, within: Self.longWork) {
            row throws(StorageFault) in
            .sharedName(try row.text(0))
        }
        let broken = try await first(RegistrationTable.brokenStatements) { row throws(StorageFault) in
            try row.integer(0)
        }
        if let broken, broken > 0 { report.findings.append(.statements(Int(clamping: broken))) }
        for table in RegistrationTable.allCases {
            var position: Int64 = 0
            while report.findings.count < LedgerReport.findingsLimit {
                let examined = try await rows(table.next, [.integer(position)], within: Self.longWork) {
                    row throws(StorageFault) in
                    try table.examine(row)
                }
                guard let last = examined.last else { break }
                position = last.position
                if table == .registration { report.registrations += examined.count }
                report.findings += examined.compactMap(\.finding)
            }
        }
    }

    private func checkEvents(_ report: inout LedgerReport) async throws(LedgerFault) {
        var position: Int64 = -1
        while report.findings.count < LedgerReport.findingsLimit {
            let rows = try await rows(
                "SELECT \(EventRecord.columns), id FROM event WHERE id > $1 ORDER BY id LIMIT 500",
                [.integer(position)]
            ) { row throws(StorageFault) in
                let event = row.attempt { row throws(StorageFault) in try EventRecord(row) }
                return (position: try row.integer(EventRecord.columnCount), event: event)
            }
            guard let last = rows.last else { return }
            position = last.position
            report.events += rows.count
            for case (let position, .failure(let damage)) in rows {
                report.findings.append(.eventRow(position: position, damage.words))
            }
        }
    }
}
