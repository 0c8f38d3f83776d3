import LedgerRecords
import LedgerContract
import LightningCoding
import Platform
import ResponderCore
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
import Waiting

@Suite("The record of a notification that was accepted", .timeLimit(.minutes(1)))
struct RecordingTests {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()

    private struct SilentAnswers: AnswersNotifications {
        func handle(
            _ notification: ReceivedNotification, for account: AccountID, by recipient: (any PayResponder)?,
            until deadline: MonotonicTime
        ) async -> NotificationResult {
            NotificationResult(
                answer: .none(.notAsked),
                record: EventRecord(
                    receivedAt: UnixTime(1), account: account, type: "some", envelope: "some", payload: "",
                    outcome: .done))
        }
    }

    private func process(
        on ledger: StumblingLedger<LedgerDatabase>
    ) async throws -> Task<NotificationProcessor.Processed, any Error> {
        let processor = NotificationProcessor(
            SilentAnswers(), sender: try ReplySender(ReplySender.Settings()), ledger: ledger, clock: clock.clock)
        let body = #"{"template":"payment_received","data":{"payment_hash":"\#(String(repeating: "0", count: 64))"}}"#
        let notification = try NotificationReader().read(Array(body.utf8))
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
        #expect(try await ledger.events(EventQuery()).events.count == 1)
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
