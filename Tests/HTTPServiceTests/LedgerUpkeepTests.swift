import Bolt11
import LightningCoding
import LightningCrypto
import LNURL
import Logging
import Contracts
import ResponderCore
import SQLiteLedger
import TemporaryFolders
import Testing
import Waiting

@testable import HTTPService

@Suite("Upkeep of the ledger", .timeLimit(.minutes(1)))
struct LedgerUpkeepTests {
    @Test("Old events are deleted although expired invoices cannot be")
    func pruning() async throws {
        let service = try await TestService()
        try await service.ledger.record(
            EventRecord(
                receivedAt: service.clock.now, account: AccountID("alice@example.com"), type: "t", envelope: "push",
                payload: "{}", outcome: .done))
        service.clock.advance(seconds: 31 * 86_400)
        let closed = try await LedgerDatabase.open(at: service.folder.path + "/other.sqlite")
        await closed.close()
        let watch = LedgerUpkeep(
            ledger: service.ledger,
            removal: ExpiredInvoiceRemoval(ledger: closed, backends: [.embedded: service.node], grace: 0),
            clock: { [clock = service.clock] in clock.now },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { try await watch.run() }
        try await eventually { try await service.ledger.events(EventQuery()).events.isEmpty }
        running.cancel()
        try await running.value
    }

    @Test("At startup, unpaid invoices are deleted thirty days after they expire, and their number is logged")
    func expiry() async throws {
        let service = try await TestService()
        let log = RecordingLog(at: .info)
        let invoice = try Bolt11Invoice(try await service.invoice()["pr"]?.string ?? "")
        service.clock.advance(seconds: 31 * 86_400)
        #expect(service.settings.keepExpired == 30 * 86_400)
        let watch = LedgerUpkeep(
            ledger: service.ledger,
            removal: ExpiredInvoiceRemoval(
                ledger: service.ledger, backends: [.embedded: service.node], grace: service.settings.keepExpired),
            clock: { [clock = service.clock] in clock.now }, logger: log.logger)
        let running = Task { try await watch.run() }
        try await eventually { try await service.ledger.invoice(invoice.paymentHash) == nil }
        try await eventually { log.lines.contains { $0.all == #"expired invoices deleted ["count": 1]"# } }
        running.cancel()
        try await running.value
    }
}
