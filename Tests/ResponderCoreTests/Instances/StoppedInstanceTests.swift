#if os(Linux)
import LedgerRecords
import Foundation
import LedgerContract
import LightningCoding
import Platform
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
import Waiting

@testable import ResponderCore

@Suite("An instance that is stopped with SIGSTOP", .timeLimit(.minutes(5)))
struct StoppedInstanceTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/ledger.sqlite" }
    private static let name = LeaseName.following(.embedded)

    /// Leases of ten seconds, so that a busy machine renews them in time.
    private static let terms = LeaseTerms(
        length: 10, renewal: .milliseconds(300), hold: .seconds(8), heartbeat: .seconds(1), lifetime: 60,
        isAlone: false)

    @Test("moves nothing when it comes back after another has taken over, and ends its work")
    func comesBack() async throws {
        let ledger = try await LedgerDatabase.open(at: path, timeout: .milliseconds(200))
        async let stopped: Void = follow()
        try await eventually { try await ledger.cursor(of: .embedded)?.text.hasPrefix("child") == true }
        let process = try #require(try await ledger.instances().first).record.process
        try await stop(process)
        // Its lease runs out by itself.
        var taken: Lease?
        try await eventually {
            do {
                taken = try await ledger.lease(Self.name, for: Sample.instance(2).id, lasting: 3_600)
            } catch LedgerFault.busy {
                // It was stopped in the middle of a write.
                kill(process, SIGCONT)
                try await stop(process)
            }
            return taken != nil
        }
        try await ledger.pass(to: SettlementCursor("ours"), of: .embedded, under: #require(taken))
        kill(process, SIGCONT)
        await stopped
        #expect(try await ledger.cursor(of: .embedded) == SettlementCursor("ours"))
    }

    /// Moves the cursor in another process for as long as it holds the lease; that process ends when it has lost it.
    private func follow() async {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let ledger = try await LedgerDatabase.open(at: path, timeout: .seconds(20))
            let some = try Sample.instance(1)
            let instance = ServiceInstance(
                InstanceRecord(
                    id: some.id, name: some.name, process: getpid(), version: "1", startedAt: .now(),
                    payers: some.payers, admin: some.admin, publicURL: nil, keys: some.keys),
                on: ledger, terms: Self.terms)
            try await instance.register()
            let hasEnded = FirstAnswer<Void>()
            let holding = Task {
                await instance.holding(Self.name) { lease in
                    var number = 0
                    while !Task.isCancelled {
                        let cursor = SettlementCursor("child \(number)")
                        guard (try? await ledger.pass(to: cursor, of: .embedded, under: lease)) != nil else { break }
                        number += 1
                        try? await Task.sleep(for: .milliseconds(5))
                    }
                    hasEnded.give(())
                }
            }
            await hasEnded.value()
            holding.cancel()
            await holding.value
            #expect(!instance.holds(Self.name))
        }
    }

    /// Stops a process, and returns once it has stopped.
    private func stop(_ process: Int32) async throws {
        kill(process, SIGSTOP)
        try await eventually {
            let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            return text.split(separator: ")").last?.split(separator: " ").first == "T"
        }
    }
}
#endif
