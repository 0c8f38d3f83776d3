import LedgerRecords
import Bolt11
import Bolt12
import EmbeddedNode
import HTTPTypes
import LightningCoding
import LightningCrypto
import Logging
import LoopbackServer
import Platform
import ResponderCore
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
import Waiting
@testable import HTTPService

@Suite("Invoices that are not what was ordered", .timeLimit(.minutes(5)))
struct MismatchTests {
    private let log = RecordingLog()

    /// A node whose invoices are for another amount.
    private func liar(_ node: EmbeddedBackend) -> StubBackend {
        StubBackend(node) { order throws(BackendFault) in
            try await node.createInvoice(
                InvoiceOrder(
                    amount: Millisatoshi(1), description: order.description, expiry: order.expiry, label: order.label))
        }
    }

    /// Runs the outbox of a service until a body returns.
    private func carryingOut(
        _ service: TestService, at backend: any ReceiveBackend, _ body: () async throws -> Void
    ) async throws {
        let observer = BackgroundObserver(of: [.embedded], metrics: service.metrics, logger: log.logger)
        let clock = service.clock
        let outbox = OutboxService(
            service.ledger,
            [MismatchedInvoices(ledger: service.ledger, backends: [.embedded: backend], clock: { clock.now })],
            holder: service.instance.id.text, clock: { clock.now },
            report: observer.note, noteFault: observer.note)
        let running = Task { await service.instance.holding(.outbox) { await outbox.run(under: $0) } }
        try await body()
        running.cancel()
        await running.value
    }

    private func isEmpty(_ service: TestService) async throws -> Bool {
        try await service.ledger.outbox(OutboxQuery()).elements.isEmpty
    }

    private func counted(_ service: TestService) -> String? {
        service.metrics.page().split(separator: "\n").first { $0.hasPrefix("responder_invoice_mismatches_total{") }
            .map(String.init)
    }

    @Test("Each is canceled and counted, whatever the route, and the client gets a generic error")
    func everyRoute() async throws {
        let service = try await TestService()
        let forwarder = Forwarder(service: service)
        let sink = try ReplySink()
        let offer = try await forwarder.offer()
        let request = Forwarder.body(try forwarder.request(offer).stream.bytes, offer: offer.text)
        let notification =
            #"{"template":"lnurlpay_invoice","data":{"amount":21000,"reply_url":"\#(sink.url("1"))"}}"#
        let routes: [(HTTPRequest.Method, path: String, body: String)] = [
            (.get, "/lnurlpay/alice/invoice?amount=21000", ""),
            (.post, try forwarder.path(), request),
            (.post, try forwarder.path(), notification),
        ]
        let backend = liar(service.node)
        let router = service.publicRouter(try await service.responder(in: backend))
        for (count, route) in routes.enumerated() {
            let answer = try await Answer(router, route.path, route.0, [:], route.body, logger: log.logger)
            #expect(!answer.body.contains("amount"))
            if count == 2 {
                let reply = String(decoding: try await sink.reply("1").body, as: UTF8.self)
                #expect(reply.contains("No invoice can be made for this payment"))
            }
        }
        // Each request logs its own failure.
        try await eventually { log.lines.count == 3 }
        let requests = log.lines
        #expect(requests.allSatisfy { $0.cause.hasSuffix("its amount differs") })
        #expect(try await service.ledger.outbox(OutboxQuery(kind: .invoiceMismatch)).elements.count == 3)
        try await carryingOut(service, at: backend) { try await eventually { try await isEmpty(service) } }
        #expect(counted(service) == #"responder_invoice_mismatches_total{backend="embedded"} 3"#)
        // One line for each cause and minute.
        let ends = log.lines.dropFirst(requests.count)
        #expect(ends.map(\.cause) == ["its amount differs"])
        #expect(ends.first?.all.contains("canceled") == true)
    }

    @Test("One that cannot be recorded is counted, and its request fails for the same reason, which is logged")
    func unrecorded() async throws {
        let service = try await TestService()
        let backend = liar(service.node)
        let unwritable = try await service.unwritableLedger()
        let answer = try await Answer(
            service.publicRouter(try await service.responder(in: backend, on: unwritable)),
            "/lnurlpay/alice/invoice?amount=21000", .get, [:], "", logger: log.logger)
        #expect(answer.body.contains("No invoice can be made for this payment"))
        #expect(log.lines.map { $0.cause.hasSuffix("its amount differs") } == [true])
        try await carryingOut(service, at: backend) {
            service.ledger.observers.tell(
                .unrecordedMismatch(
                    InvoiceMismatch(backend: .embedded, paymentHash: try hash(1), cause: "x", account: nil)))
        }
        #expect(counted(service) == #"responder_invoice_mismatches_total{backend="embedded"} 1"#)
    }

    private func hash(_ byte: UInt8) throws -> PaymentHash { try PaymentHash([UInt8](repeating: byte, count: 32)) }

    @Test("One that an earlier run recorded and did not cancel is canceled after the next start")
    func restarted() async throws {
        let folder = TemporaryFolder()
        let first = try await TestService(folder: folder)
        let backend = liar(first.node)
        _ = try await Answer(
            first.publicRouter(try await first.responder(in: backend)), "/lnurlpay/alice/invoice?amount=21000", .get,
            [:], "")
        let work = try #require(try await first.ledger.outbox(OutboxQuery()).elements.first)
        let hash = try #require(InvoiceMismatch(work)?.paymentHash)
        #expect(try await first.node.status(of: hash) == .open)
        await first.ledger.close()

        let next = try await TestService(folder: folder)
        try await carryingOut(next, at: next.node) { try await eventually { try await isEmpty(next) } }
        #expect(try await next.node.status(of: hash) == .closed)
        #expect(counted(next) == #"responder_invoice_mismatches_total{backend="embedded"} 1"#)
    }

    @Test("A node that fails to cancel is asked again; that is counted and logged once, and parked in the end")
    func retried() async throws {
        let service = try await TestService()
        var node = StubBackend(service.node) { _ throws(BackendFault) in throw .unsupported }
        node.whenCanceled = { _ throws(BackendFault) in throw .timedOut }
        let invoices = MismatchedInvoices(
            ledger: service.ledger, backends: [.embedded: node],
            clock: { [clock = service.clock] in clock.now })
        let observer = BackgroundObserver(of: [.embedded], metrics: service.metrics, logger: log.logger)
        _ = try await service.ledger.add(work(for: PaymentHash([UInt8](repeating: 1, count: 32)), service), upTo: 9)
        let runner = OutboxRunner(
            Impatient(invoices: invoices), of: service.ledger, holder: "one",
            clock: { [clock = service.clock] in clock.now }, report: { observer.note($0) })
        for _ in 0..<3 {
            await runner.runOnce()
            service.clock.advance(seconds: 10)
        }
        let kept = try #require(try await service.ledger.outbox(OutboxQuery()).elements.first)
        #expect(kept.isParked && kept.attempts == 3)
        #expect(kept.failure?.hasPrefix("the node did not cancel it: ") == true)
        #expect(counted(service) == #"responder_invoice_mismatches_total{backend="embedded"} 1"#)
        #expect(log.lines.map(\.cause) == ["its amount differs"])
    }

    private func work(for hash: PaymentHash, _ service: TestService) throws -> OutboxWork {
        let mismatch = InvoiceMismatch(
            backend: .embedded, paymentHash: hash, cause: InspectionFault.amount.reason,
            account: try .init("alice@example.com"))
        return OutboxWork(mismatch, at: service.clock.now, deadline: service.clock.now.adding(seconds: 60))
    }

    @Test("One whose hash a payer's invoice has is never canceled, whatever the node said")
    func givenOut() async throws {
        let service = try await TestService()
        let hash = try Bolt11Invoice(try #require(try await service.invoice()["pr"]?.string)).paymentHash
        let invoices = MismatchedInvoices(
            ledger: service.ledger, backends: [.embedded: service.node],
            clock: { [clock = service.clock] in clock.now })
        let outcome = await invoices.carryOut(try work(for: hash, service))
        #expect(outcome == .dropped("it stays: a payer holds an invoice with its payment hash"))
        #expect(try await service.node.status(of: hash) == .open)
    }

    @Test("One that has expired, or that its node cannot cancel, is dropped; one without a node is parked")
    func dropped() async throws {
        let service = try await TestService()
        let work = try work(for: PaymentHash([UInt8](repeating: 1, count: 32)), service)
        var unable = StubBackend(service.node) { _ throws(BackendFault) in throw .unsupported }
        unable.capabilities.cancels = false
        func outcome(_ backends: [BackendName: any ReceiveBackend]) async -> OutboxOutcome {
            await MismatchedInvoices(
                ledger: service.ledger, backends: backends, clock: { [clock = service.clock] in clock.now }
            ).carryOut(work)
        }
        #expect(
            await outcome([.embedded: unable])
                == .dropped("it stays until it expires: the node cannot cancel invoices"))
        #expect(await outcome([:]) == .refused("its node is no longer configured"))
        service.clock.advance(seconds: 60)
        #expect(await outcome([.embedded: service.node]) == .dropped("it has expired"))
    }
}

/// Gives up after three attempts.
private struct Impatient: OutboxHandler {
    let invoices: MismatchedInvoices
    let policy = OutboxPolicy(schedule: RetrySchedule(pauses: [5, 5]))

    func carryOut(_ job: InvoiceMismatch, _ work: OutboxWork) async -> OutboxOutcome {
        await invoices.carryOut(job, work)
    }
}
