import LedgerRecords
import LedgerContract
import LightningCoding
import LightningCrypto
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite("Several processes on one ledger", .timeLimit(.minutes(5)))
struct ProcessTests {
    let folder = TemporaryFolder()
    var path: String { folder.path + "/ledger.sqlite" }

    @Test("Processes that write concurrently lose nothing")
    func recording() async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        try await ledger.put("alice")
        async let first: Void = recordElsewhere(from: 1000)
        async let second: Void = recordElsewhere(from: 2000)
        try await Self.record(from: 3000, in: ledger)
        _ = await (first, second)
        let report = try await ledger.check()
        #expect(report.invoices == 300)
        #expect(report.findings.isEmpty)
    }

    private func recordElsewhere(from start: UInt64) async {
        await #expect(processExitsWith: .success) { [path = path as String, start = start as UInt64] in
            try await Self.record(from: start, in: LedgerDatabase.open(at: path, timeout: .seconds(20)))
        }
    }

    private static func record(from start: UInt64, in ledger: LedgerDatabase) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in start..<start + 100 {
                group.addTask { try await ledger.record(try Sample.invoice(number), using: nil) }
            }
            try await group.waitForAll()
        }
    }

    @Test("Changes by another process are seen: the revision, the account, the settlement")
    func seenByOthers() async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        try await ledger.put("alice", "One")
        try await ledger.record(try Sample.invoice(1), using: nil)
        let revision = try await ledger.accountsRevision()
        await #expect(processExitsWith: .success) { [path = path as String] in
            let ledger = try await LedgerDatabase.open(at: path)
            try await ledger.put("alice", "Two")
            _ = try await ledger.record(try Sample.settlement(1), from: .embedded)
        }
        #expect(try await ledger.accountsRevision() != revision)
        #expect(try await ledger.account(named: Sample.alice())?.version == 2)
        #expect(try await ledger.invoice(Sample.preimage(1).paymentHash)?.settlement?.received == Millisatoshi(1005))
    }
}
