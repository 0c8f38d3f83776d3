import LedgerContract
import Platform
import PostgreSQLCluster
import Testing
import Waiting
@testable import PostgreSQLLedger

@Suite(
    "Waiting for what a server tells of", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct ChannelWatchTests {
    @Test("All who wait for the same share one connection")
    func oneConnection() async throws {
        let ledger = try await ServerLedger.anew(lanes: 1)
        let watch = ledger.revisionWatch
        #expect(watch.listener.withLock { $0 } == nil)
        let first = watch.waiting()
        let listener = try #require(watch.listener.withLock { $0 })
        let second = watch.waiting()
        #expect(watch.listener.withLock { $0 === listener })
        withExtendedLifetime((first, second)) {}
        await ledger.close()
    }

    @Test("Whoever changes an account tells of it")
    func told() async throws {
        let settings = try await ServerLedger.settings()
        let ledger = try await ServerLedger.open(settings)
        let database = try await Database.open(settings, lanes: 1)
        // With its domain.
        try await ledger.put("bob")
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
