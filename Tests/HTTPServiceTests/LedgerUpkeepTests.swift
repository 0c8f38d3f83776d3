import LedgerRecords
import Bolt11
import LedgerContract
import LightningCoding
import Platform
import PostgreSQLCluster
import PostgreSQLLedger
import ResponderCore
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
import Waiting
@testable import HTTPService

@Suite("Upkeep of the ledger", .timeLimit(.minutes(5)))
struct LedgerUpkeepTests {
    @Test("Events are deleted after thirty days, although expired invoices cannot be")
    func pruning() async throws {
        let service = try await TestService()
        for type in ["old", "new"] {
            try await service.ledger.record(
                EventRecord(
                    receivedAt: service.clock.now, account: AccountID("alice@example.com"), type: type,
                    envelope: "push", payload: "{}", outcome: .done))
            service.clock.advance(seconds: 1)
        }
        service.clock.advance(seconds: 30 * 86_400 - 1)
        let closed = try await LedgerDatabase.open(at: service.folder.path + "/other.sqlite")
        await closed.close()
        let removal = ExpiredInvoiceRemoval(ledger: closed, backends: [.embedded: service.node], grace: 0)
        let watch = LedgerUpkeep(
            [.removingInvoices(removal) { _ in }] + UpkeepTask.standard(service.ledger),
            clock: { [clock = service.clock] in clock.now }, noteFailure: { _, _ in })
        let lease = try await service.ledger.held(.upkeep)
        let running = Task { await watch.run(under: lease) }
        try await eventually { try await service.ledger.events(EventQuery()).elements.map(\.type) == ["new"] }
        running.cancel()
        await running.value
    }

    @Test("Messages are deleted after ninety days, where devices are registered")
    func messages() async throws {
        let service = try await TestService()
        let now = service.clock.now
        func message(_ age: UInt64) throws -> DeviceMessage.Content {
            DeviceMessage.Content(
                id: try #require(MessageID("m\(age)")), owner: try Sample.node(1), type: .security, priority: .low,
                title: "t", body: "", createdAt: UnixTime(now.seconds - age), expiresAt: now)
        }
        for age in [7_776_001, 7_776_000] as [UInt64] { try await service.ledger.add(message(age)) }
        let upkeep = LedgerUpkeep([.removingMessages(service.ledger)], clock: { now }, noteFailure: { _, _ in })
        let lease = try await service.ledger.held(.upkeep)
        let running = Task { await upkeep.run(under: lease) }
        try await eventually {
            try await service.ledger.messages(MessageQuery(of: Sample.node(1))).elements.map(\.content.id.text) == [
                "m7776000"
            ]
        }
        running.cancel()
        await running.value
    }

    @Test("Parked work is deleted at its deadline, except notifications, which an operator has to see")
    func parked() async throws {
        let service = try await TestService()
        let kinds: [OutboxKind] = [.push, .notification, .settlementWebhook, .push]
        for (number, kind) in zip(UInt64(1)..., kinds) {
            try await service.ledger.add(Sample.work(number, kind: kind), heldBy: nil)
            for work in try await service.ledger.take(kind, at: number) {
                try await service.ledger.park(work, at: Sample.start, because: "gone")
            }
        }
        let upkeep = LedgerUpkeep(
            UpkeepTask.standard(service.ledger), clock: { Sample.start.adding(seconds: 100) }, noteFailure: { _, _ in })
        let lease = try await service.ledger.held(.upkeep)
        let running = Task { await upkeep.run(under: lease) }
        try await eventually {
            try await service.ledger.outbox(OutboxQuery()).elements.map(\.kind) == [.notification]
        }
        running.cancel()
        await running.value
        #expect(try await service.ledger.outbox(OutboxQuery()).elements.map(\.kind) == [.notification])
    }

    @Test("When one task finds the lease lost, all end")
    func leaseLost() async throws {
        let service = try await TestService()
        let upkeep = LedgerUpkeep(
            [
                UpkeepTask(every: .seconds(3_600), warning: "rests") { _, _ in },
                UpkeepTask(warning: "loses") { _, _ in throw LedgerFault.leaseLost },
            ],
            clock: { UnixTime(1) }, noteFailure: { task, _ in Issue.record("\(task.warning) failed") })
        await upkeep.run(under: try await service.ledger.held(.upkeep))
    }

    @Test("Without a clock to be trusted only what decides by no age is done")
    func unsteady() async throws {
        let service = try await TestService()
        let done = Guarded<[String]>([])
        func task(_ name: String, needsSteadyClock: Bool) -> UpkeepTask {
            UpkeepTask(every: .milliseconds(1), needsSteadyClock: needsSteadyClock, warning: name) { _, _ in
                done.withLock { $0.append(name) }
            }
        }
        let upkeep = LedgerUpkeep(
            [task("old", needsSteadyClock: true), task("wake", needsSteadyClock: false)], clock: { UnixTime(1) },
            isSteady: { false }, noteFailure: { _, _ in })
        let lease = try await service.ledger.held(.upkeep)
        let running = Task { await upkeep.run(under: lease) }
        try await eventually { done.withLock { $0.count } > 3 }
        running.cancel()
        await running.value
        #expect(done.withLock { Set($0) } == ["wake"])
    }

    @Test("At startup, unpaid invoices are deleted thirty days after they expire, and their number is logged")
    func expiry() async throws {
        let service = try await TestService()
        let removed = Guarded(0)
        let invoice = try Bolt11Invoice(try await service.invoice()["pr"]?.string ?? "")
        service.clock.advance(seconds: 31 * 86_400)
        #expect(service.settings.keepExpired == 30 * 86_400)
        let removal = ExpiredInvoiceRemoval(
            ledger: service.ledger, backends: [.embedded: service.node], grace: service.settings.keepExpired)
        let watch = LedgerUpkeep(
            [.removingInvoices(removal) { count in removed.withLock { $0 += count } }],
            clock: { [clock = service.clock] in clock.now }, noteFailure: { _, _ in })
        let lease = try await service.ledger.held(.upkeep)
        let running = Task { await watch.run(under: lease) }
        try await eventually { try await service.ledger.invoice(invoice.paymentHash) == nil }
        try await eventually { removed.withLock { $0 } == 1 }
        running.cancel()
        await running.value
    }

    @Test("What one round leaves of the expired invoices is deleted at once, not a minute later")
    func behind() async throws {
        let service = try await TestService()
        for _ in 0..<101 { _ = try await service.invoice() }
        service.clock.advance(seconds: 86_400)
        let removal = ExpiredInvoiceRemoval(
            ledger: service.ledger, backends: [.embedded: service.node], grace: 0, mostBatches: 1)
        let upkeep = LedgerUpkeep(
            [.removingInvoices(removal) { _ in }], clock: { [clock = service.clock] in clock.now },
            noteFailure: { _, _ in })
        let lease = try await service.ledger.held(.upkeep)
        let running = Task { await upkeep.run(under: lease) }
        try await eventually {
            try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.isEmpty
        }
        running.cancel()
        await running.value
    }
}

@Suite(
    "Upkeep of a ledger on a server", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct ServerUpkeepTests {
    @Test("A partition that is in use is reported, and replaced later")
    func partitions() async throws {
        let cluster = try await PostgreSQLCluster.shared()
        let settings = try ServerSettings(url: cluster.url(try await cluster.makeDatabase()))
        try await ServerLedger.migrate(settings)
        let ledger = try await ServerLedger.open(settings)
        let database = try await Database.open(settings, lanes: 1)
        try await ledger.put("alice")
        try await ledger.record(Sample.invoice(1), using: nil)
        _ = try await ledger.record(Sample.settlement(1), from: .embedded)
        let failures = Guarded<[String]>([])
        let upkeep = LedgerUpkeep(
            UpkeepTask.standard(ledger), clock: { Sample.start.adding(seconds: 4 * 86_400) },
            noteFailure: { task, _ in failures.withLock { $0.append(task.warning) } })
        let lease = try await ledger.held(.upkeep)
        let tables = Query("SELECT 1 FROM pg_inherits WHERE inhrelid::regclass::text = 'invoice_20260921p'")
        try await database.transaction(.reading, within: .seconds(30)) {
            transaction throws(LedgerFault) in
            try await transaction.run(Query("SELECT count(*) FROM invoice"))
            let running = Task { await upkeep.run(under: lease) }
            try? await eventually { failures.withLock { $0.contains("ledger maintenance failed") } }
            running.cancel()
            await running.value
        }
        #expect(failures.withLock { $0.contains("ledger maintenance failed") })
        #expect(try await database.read(tables).count == 0)
        let running = Task { await upkeep.run(under: lease) }
        try await eventually { try await database.read(tables).count == 1 }
        running.cancel()
        await running.value
    }
}
