import LedgerRecords
import LedgerContract
import LightningCrypto
import Platform
import ResponderCore
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
import Waiting

@Suite("The record of a notification that was accepted", .timeLimit(.minutes(5)))
struct RecordingTests {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()

    private func process(
        on ledger: StumblingLedger<LedgerDatabase>
    ) async throws -> Task<NotificationResult, any Error> {
        let responder = Responder(
            ledger: ledger.base, backends: [:],
            settings: ResponderSettings(challengeKey: SecretBytes([UInt8](repeating: 7, count: 32))))
        let answering = NotificationResponder(
            responder, handlers: [.mutualClose: { _, _, _ in .done() }], clock: ManualClock().clock)
        let processor = NotificationProcessor(
            answering, sender: try ReplySender(ReplySender.Settings()), ledger: ledger, clock: clock.clock)
        let notification = try NotificationReader().read(Array(#"{"event":"mutualClose","data":{}}"#.utf8))
        let account = try Sample.alice()
        let deadline = clock.now + .seconds(20)
        return Task {
            await processor.process(
                notification, for: account, until: deadline, finishing: try Sample.work(1).id)
        }
    }

    private func ledger() async throws -> StumblingLedger<LedgerDatabase> {
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        try await ledger.put("alice")
        try await ledger.add(Sample.work(1), heldBy: "one")
        return StumblingLedger(base: ledger)
    }

    @Test("is tried until the ledger takes it, so that nobody handles the notification again")
    func repeated() async throws {
        let ledger = try await ledger()
        ledger.failingRecords.withLock { $0 = 3 }
        let processing = try await process(on: ledger)
        for _ in 0..<3 {
            #expect(try await ledger.work(Sample.work(1).id) != nil)
            try await clock.waitForSleepers(1)
            clock.advance(by: .milliseconds(500))
        }
        #expect(try await processing.value.recordFault == nil)
        #expect(try await ledger.work(Sample.work(1).id) == nil)
        #expect(try await ledger.events(EventQuery()).elements.count == 1)
    }

    @Test("is given up after the deadline, when it would not be handled again in any case")
    func givenUp() async throws {
        let ledger = try await ledger()
        ledger.failingRecords.withLock { $0 = .max }
        let processing = try await process(on: ledger)
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(21))
        #expect(try await processing.value.recordFault == .unreachable("connection refused"))
    }
}
