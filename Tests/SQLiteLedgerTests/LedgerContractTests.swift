import LedgerRecords
import LedgerContract
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite("A ledger in a SQLite file", .timeLimit(.minutes(5)))
struct LedgerContractTests {
    @Test("keeps the rules of every ledger", arguments: LedgerRule.all)
    func keeps(_ rule: LedgerRule) async throws {
        let folder = TemporaryFolder()
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        try await rule.check(ledger)
        let report = try await ledger.check()
        #expect(report.findings == [])
        await ledger.close()
    }
}
