import Bolt11
import LightningCoding
import LightningCrypto
import Logging
import Contracts
import ResponderCore
import SQLiteLedger
import Testing
import Waiting

@testable import HTTPService

@Suite("Watching for changes by other processes", .timeLimit(.minutes(1)))
struct LedgerWatchTests {
    private struct Unreadable: Error {}

    @Test("Imported keys are polled for, even after a failed read")
    func imports() async throws {
        let service = try await TestService()
        let (looks, looked) = AsyncStream.makeStream(of: Void.self)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let watch = LedgerWatch(
            responder: service.responder,
            noticeImports: {
                looked.yield()
                throw Unreadable()
            },
            clock: { [clock = service.clock] in clock.now }, logger: logger
        )
        let running = Task { try await watch.run() }
        var iterator = looks.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        #expect(await iterator.next() != nil)
        running.cancel()
        try await running.value
    }

    @Test("At startup, unpaid invoices are deleted thirty days after they expire, and their number is logged")
    func expiry() async throws {
        let service = try await TestService()
        let invoice = try Bolt11Invoice(try await service.invoice()["pr"]?.string ?? "")
        service.clock.advance(seconds: 31 * 86_400)
        #expect(service.settings.keepExpired == 30 * 86_400)
        let watch = ExpiryWatch(
            removal: ExpiredInvoiceRemoval(
                ledger: service.ledger, backends: [.embedded: service.node], grace: service.settings.keepExpired),
            clock: { [clock = service.clock] in clock.now },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { try await watch.run() }
        try await eventually { try await service.ledger.invoice(invoice.paymentHash) == nil }
        running.cancel()
        try await running.value
    }
}
