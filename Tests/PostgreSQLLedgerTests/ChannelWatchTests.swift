import LedgerContract
import LedgerRecords
import Platform
import PostgreSQLCluster
import ResponderModel
import Testing
import Waiting
@testable import PostgreSQLLedger

@Suite(
    "Waiting for what a server tells of", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct ChannelWatchTests {
    @Test("All who wait for the same share one connection")
    func oneConnection() async throws {
        let settings = try await ServerLedger.settings()
        let ledger = try await ServerLedger.open(settings)
        let database = try await Database.open(settings, lanes: 1)
        func listeners() async throws -> [Int64] {
            let query = Query(
                """
                SELECT pid::bigint FROM pg_stat_activity
                WHERE datname = current_database() AND query = 'LISTEN \(ServerLedger.revisionChannel)'
                """)
            return try await database.read(query).rows { row throws(LedgerFault) in try row.integer(0) }
        }
        let first = ledger.revisionWatch.waiting()
        try await eventually { try await !listeners().isEmpty }
        let connected = try await listeners()
        let others = (0..<20).map { _ in ledger.revisionWatch.waiting() }
        // Begun after all of them: they have had their time to connect when it is.
        let (told, continuation) = AsyncStream.makeStream(of: Void.self)
        let last = database.listen(to: "last") { continuation.yield() }
        for await _ in told.prefix(1) {}
        #expect(try await listeners() == connected && connected.count == 1)
        withExtendedLifetime((first, others, last)) {}
        await ledger.close()
        database.close()
    }

    @Test("Whoever changes an account tells of it")
    func told() async throws {
        let settings = try await ServerLedger.settings()
        let ledger = try await ServerLedger.open(settings)
        let database = try await Database.open(settings, lanes: 1)
        let count = Guarded(0)
        let listener = database.listen(to: ServerLedger.revisionChannel) { count.withLock { $0 += 1 } }
        // Also when it is connected.
        try await eventually { count.withLock { $0 } == 1 }
        try await ledger.put("alice")
        try await eventually { count.withLock { $0 } > 1 }
        withExtendedLifetime(listener) {}
        await ledger.close()
        database.close()
    }
}
