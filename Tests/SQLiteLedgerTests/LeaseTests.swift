import LedgerRecords
import LedgerContract
import LightningCoding
import Platform
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite("Leases in the ledger's file", .timeLimit(.minutes(5)))
struct LeaseTests {
    private let folder = TemporaryFolder()
    private let now = Guarded(Sample.start)

    private func open() async throws -> LedgerDatabase {
        try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite", clock: { [now] in now.withLock { $0 } })
    }

    private func pass(_ seconds: UInt64) { now.withLock { $0 = $0.adding(seconds: seconds) } }

    @Test("A lease ends when its seconds are over, for every process alike, and not before")
    func time() async throws {
        let (one, two) = (try await open(), try await open())
        let first = try #require(try await one.lease(.outbox, for: Sample.instance(1).id, lasting: 10))
        pass(9)
        #expect(try await two.lease(.outbox, for: Sample.instance(2).id, lasting: 10) == nil)
        #expect(try await one.lease(.outbox, for: Sample.instance(1).id, lasting: 10) == first)
        pass(9)
        #expect(try await two.lease(.outbox, for: Sample.instance(2).id, lasting: 10) == nil)
        pass(1)
        let second = try #require(try await two.lease(.outbox, for: Sample.instance(2).id, lasting: 10))
        #expect(second.epoch == first.epoch + 1)
        #expect(try await one.lease(.outbox, for: Sample.instance(1).id, lasting: 10) == nil)
    }

    @Test("Of processes that want a lease at once, one gets it")
    func race() async throws {
        let ledgers = [try await open(), try await open()]
        for round in UInt64(1)...10 {
            let taken = try await withThrowingTaskGroup(of: Lease?.self, returning: [Lease].self) { group in
                for number in UInt8(1)...8 {
                    group.addTask {
                        try await ledgers[Int(number) % 2].lease(
                            .upkeep, for: Sample.instance(number).id, lasting: 10)
                    }
                }
                return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
            }
            #expect(taken.map(\.epoch) == [round])
            pass(10)
        }
    }

    @Test("An instance is forgotten when it was not heard of for its time, and not before")
    func lifetime() async throws {
        let ledger = try await open()
        for number in UInt8(1)...2 { try await ledger.register(try Sample.instance(number), isAlone: false) }
        pass(14)
        #expect(try await ledger.heartbeat(of: Sample.instance(1), forgettingAfter: 15) == 2)
        pass(1)
        #expect(try await ledger.heartbeat(of: Sample.instance(1), forgettingAfter: 15) == 1)
        #expect(try await ledger.instances().map(\.seenAt) == [now.withLock { $0 }])
    }
}
