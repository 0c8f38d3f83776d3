import SQLiteStorage
import TemporaryFolders
import Testing

@testable import SQLiteLedger

@Suite("The query plan for work that is alike", .timeLimit(.minutes(4)))
struct OutboxPlanTests {
    @Test("Only ids that begin alike are read, however much work of the kind there is")
    func plan() async throws {
        let folder = TemporaryFolder()
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        let plan = try await ledger.database.read { connection throws(StorageFault) in
            try connection.rows(
                "EXPLAIN QUERY PLAN " + LedgerDatabase.countingAlike, [.text("push"), .text("push-ab"), .integer(20)]
            ) { row throws(StorageFault) in try row.text(3) }
        }
        #expect(plan.contains { $0.contains("(work_id>? AND work_id<?)") } && !plan.contains { $0.contains("kind=?") })
    }
}
