import Contracts
import LedgerRecords
import SQLiteStorage

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
