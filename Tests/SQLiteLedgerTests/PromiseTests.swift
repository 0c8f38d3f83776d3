import LedgerContract
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite("A ledger in a SQLite file", .timeLimit(.minutes(4)))
struct PromiseTests {
    @Test("keeps what every ledger promises", arguments: Promise.all)
    func keeps(_ promise: Promise) async throws {
        let folder = TemporaryFolder()
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        try await promise.check(ledger)
        let report = try await ledger.check()
        #expect(report.findings == [])
        await ledger.close()
    }
}
