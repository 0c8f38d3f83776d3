import Bolt11
import LightningCoding
import LightningCrypto
import LNURL
import Logging
import Platform
import Contracts
import ResponderCore
import SQLiteLedger
import TemporaryFolders
import Testing
import Waiting

@testable import HTTPService

@Suite("Watching the ledger", .timeLimit(.minutes(1)))
struct LedgerWatchTests {
    private struct Unreadable: Error {}

    @Test("Imported keys are read whenever the ledger tells of a change by another process, and again after a failure")
    func imports() async throws {
        let service = try await TestService()
        let (looks, looked) = AsyncStream.makeStream(of: Void.self)
        let pauses = Guarded(0)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let watch = AccountWatch(
            accounts: service.responder.accounts,
            noticeImports: {
                looked.yield()
                if pauses.withLock({ $0 }) == 0 { throw Unreadable() }
            },
            logger: logger, pause: { pauses.withLock { $0 += 1 } })
        let running = Task { try await watch.run() }
        var iterator = looks.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        #expect(await iterator.next() != nil)
        let other = try await LedgerDatabase.open(at: service.folder.path + "/ledger.sqlite")
        _ = try await other.removeAccount(named: AddressName("alice"))
        #expect(await iterator.next() != nil)
        #expect(try await service.responder.accounts.account(named: AddressName("alice")) == nil)
        #expect(pauses.withLock { $0 } == 1)
        running.cancel()
        try await running.value
    }

    @Test("Keys that were put back are noticed after a while, without a change in the ledger")
    func keysPutBack() async throws {
        let service = try await TestService()
        let (looks, looked) = AsyncStream.makeStream(of: Void.self)
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self)
        let watch = AccountWatch(
            accounts: service.responder.accounts, noticeImports: { looked.yield() },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            interval: {
                for await _ in ticks { return }
                throw CancellationError()
            })
        let running = Task { try await watch.run() }
        var iterator = looks.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        for _ in 0..<2 {
            tick.yield()
            #expect(await iterator.next() != nil)
        }
        running.cancel()
        try await running.value
    }

    @Test("Old events are deleted although expired invoices cannot be")
    func pruning() async throws {
        let service = try await TestService()
        try await service.ledger.record(
            EventRecord(
                receivedAt: service.clock.now, account: AddressName("alice"), type: "t", envelope: "push",
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
        let invoice = try Bolt11Invoice(try await service.invoice()["pr"]?.string ?? "")
        service.clock.advance(seconds: 31 * 86_400)
        #expect(service.settings.keepExpired == 30 * 86_400)
        let watch = LedgerUpkeep(
            ledger: service.ledger,
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
