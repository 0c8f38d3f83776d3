import Dispatch
import LedgerRecords
import PostgreSQLCluster
import PostgreSQLLedger
import ResponderModel
import Testing
import Waiting

@Suite(
    "The connections to a PostgreSQL server", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct LaneTests {
    @Test("A connection begins the next work although nobody has noticed that the last is done")
    func next() async throws {
        let ledger = try await ServerLedger.open(ServerLedger.settings(), lanes: 1, timeout: .seconds(60))
        let callers = OneThread()
        let (release, served) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // Both start in this order, and then the thread of both is busy.
        let first = Task(executorPreference: callers) {
            try await ledger.read { _ throws(LedgerFault) in release.wait() }
        }
        let second = Task(executorPreference: callers) {
            try await ledger.read { _ throws(LedgerFault) in _ = served.signal() }
        }
        let isServed = await callers.run { Self.give(release, andWaitFor: served) }
        #expect(isServed)
        try await first.value
        try await second.value
        await ledger.close()
    }

    private static func give(_ release: DispatchSemaphore, andWaitFor served: DispatchSemaphore) -> Bool {
        release.signal()
        return served.wait(timeout: .now() + 10) == .success
    }
}
