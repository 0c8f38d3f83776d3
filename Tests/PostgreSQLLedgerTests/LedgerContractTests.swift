import LedgerRecords
import LedgerContract
import PostgreSQLCluster
import PostgreSQLLedger
import ResponderModel
import Testing

@Suite(
    "A ledger on a PostgreSQL server", .timeLimit(.minutes(6)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct LedgerContractTests {
    @Test("keeps the rules of every ledger", arguments: LedgerRule.all)
    func keeps(_ rule: LedgerRule) async throws {
        let ledger = try await ServerLedger.anew()
        try await rule.check(ledger)
        let report = try await ledger.check()
        #expect(report.findings == [])
        await ledger.close()
    }
}
