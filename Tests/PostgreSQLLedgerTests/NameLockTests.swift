import LedgerContract
import LedgerRecords
import LightningCrypto
import Platform
import PostgreSQLCluster
import PostgreSQLLedger
import ResponderModel
import Testing

@Suite(
    "Who gives a name away on a server", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct NameLockTests {
    @Test("waits for others who do, whether it is reserved, an account's or registered", arguments: 0..<3)
    func waits(_ way: Int) async throws {
        let settings = try await ServerLedger.settings()
        let ledger = try await ServerLedger.open(settings)
        try await ledger.put("alice")
        let database = try await Database.open(settings, lanes: 1)
        let name = SHA256.hash(Array("name \(try Sample.account("bob").text)".utf8))
        let lock = Int64(bitPattern: name.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        let giving = try await database.transaction(.writing, within: .seconds(9)) { transaction throws(LedgerFault) in
            try await transaction.run(Query("SELECT pg_advisory_xact_lock($1)", [.integer(lock)]))
            let giving = Task {
                switch way {
                case 0: try await ledger.reserve(Sample.account("bob"), at: Sample.start)
                case 1: try await ledger.put("bob")
                default: try await ledger.register(Sample.registrant(1), "bob", claim: 1)
                }
            }
            let end = MonotonicTime.now + .seconds(2)
            var waiting = 0
            while waiting == 0, MonotonicTime.now < end {
                waiting = try await transaction.run(Query(Self.waiting)).count
            }
            #expect(waiting == 1)
            return giving
        }
        try await giving.value
        await ledger.close()
        database.close()
    }

    private static let waiting = """
        SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """
}
