import LedgerRecords
import ResponderModel
import TemporaryFolders
import Testing
@testable import SQLiteLedger

@Suite("Query plans", .timeLimit(.minutes(5)))
struct QueryPlanTests {
    @Test("Expired invoices are read from the oldest end of an index: neither paid nor recent ones are scanned")
    func plan() async throws {
        let folder = TemporaryFolder()
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        let plan = try await explain(
            LedgerDatabase.expired,
            [.text("embedded"), .integer(1), .integer(1), .integer(0), .integer(0), .integer(0)], in: ledger)
        #expect(
            plan == [
                "SEARCH account USING INTEGER PRIMARY KEY (rowid>?)",
                "SEARCH invoice USING INDEX invoice_open (account=? AND expires_at>? AND expires_at<?)",
            ])
    }

    @Test("Whether a request was answered with an invoice is found by index, without a scan")
    func requests() async throws {
        let folder = TemporaryFolder()
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        let plan = try await explain("DELETE FROM answered_request WHERE payment_hash = ?1", [.blob([1])], in: ledger)
        #expect(plan == ["SEARCH answered_request USING COVERING INDEX answered_request_by_invoice (payment_hash=?)"])
    }

    @Test("Work is counted by the index of subjects, however much work of the kind there is", arguments: [true, false])
    func subjects(onlyPending: Bool) async throws {
        let folder = TemporaryFolder()
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        let plan = try await explain(
            OutboxWork.counting(onlyPending: onlyPending),
            [.text("push"), .text("web/"), .text("web0"), .integer(20)], in: ledger)
        #expect(plan.contains { $0.contains("outbox_by_subject (kind=? AND subject>? AND subject<?)") })
    }

    private func explain(_ sql: String, _ values: [StoredValue], in ledger: LedgerDatabase) async throws -> [String] {
        try await ledger.rows("EXPLAIN QUERY PLAN " + sql, values) { row throws(LedgerFault) in try row.text("detail") }
    }
}
