import LNURL
import Contracts
import LedgerRecords
import SQLiteStorage

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
