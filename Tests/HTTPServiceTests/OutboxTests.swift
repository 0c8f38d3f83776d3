import LedgerRecords
import Bolt12
import EmbeddedNode
import HTTPTypes
import LedgerContract
import LightningCoding
import LightningCrypto
import Logging
import LoopbackServer
import ResponderCore
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
import Waiting
@testable import HTTPService

@Suite("Accepted notifications and other work in the outbox", .timeLimit(.minutes(5)))
struct OutboxTests {
    /// A service that accepts notifications but never processes them.
    private func stuckService(in folder: TemporaryFolder) async throws -> TestService {
        let service = try await TestService(
            queue: NotificationQueueLimits(atWork: 1, atWorkForAccount: 1), folder: folder)
        try service.queue.accept(for: AccountID("alice@example.com"), bytes: 1) {
            try? await Task.sleep(for: .seconds(3_600))
        }
        return service
    }

    private func post(_ service: TestService, _ body: String) async throws -> Answer {
        try await Answer(
            service.publicRouter(service.responder), Forwarder(service: service).path(), .post, [:], body)
    }

    private func body(_ sink: ReplySink, _ id: String) -> String {
        #"{"template":"lnurlpay_invoice","data":{"amount":21000,"reply_url":"\#(sink.url(id))"}}"#
    }

    /// Starts the service's outbox work.
    private func started(_ service: TestService) async -> Task<Void, Never> {
        let notifications = service.notifications(service.responder)
        let outbox = OutboxService(
            service.ledger, notifications.outboxHandlers, holder: service.instance.id.text,
            clock: { [clock = service.clock] in clock.now }, report: { _ in }, noteFault: { _ in })
        return Task { await service.instance.holding(.outbox) { await outbox.run(under: $0) } }
    }

    @Test("A notification is durable before its 200, and removed once its event is recorded")
    func durable() async throws {
        let folder = TemporaryFolder()
        let stuck = try await stuckService(in: folder)
        let sink = try ReplySink()
        #expect(try await post(stuck, body(sink, "1")).status == 200)
        let other = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        let kept = try #require(try await other.outbox(OutboxQuery()).elements.first)
        #expect(kept.kind == .notification && kept.account?.text == "alice@example.com")
        #expect(String(decoding: kept.payload, as: UTF8.self) == body(sink, "1"))
        #expect(kept.deadline == stuck.clock.now.adding(seconds: 20))

        let service = try await TestService()
        #expect(try await post(service, body(sink, "2")).status == 200)
        _ = try await sink.reply("2")
        try await eventually { try await service.ledger.events(EventQuery()).elements.count == 1 }
        #expect(try await service.ledger.outbox(OutboxQuery()).elements.isEmpty)
    }

    @Test("Work accepted by one process is done by the next, once, and recorded")
    func killed() async throws {
        let folder = TemporaryFolder()
        let sink = try ReplySink()
        var stuck: TestService? = try await stuckService(in: folder)
        for id in ["1", "2"] { #expect(try await post(#require(stuck), body(sink, id)).status == 200) }
        #expect(sink.count == 0)
        await stuck?.ledger.close()
        stuck = nil

        let next = try await TestService(folder: folder)
        let running = await started(next)
        for id in ["1", "2"] {
            #expect(try JSONValue(parsing: await sink.reply(id).body)["pr"]?.string?.hasPrefix("lnbcrt") == true)
        }
        try await eventually { try await next.ledger.outbox(OutboxQuery()).elements.isEmpty }
        let events = try await next.ledger.events(EventQuery()).elements
        #expect(events.map(\.outcome) == [.answered, .answered])
        #expect(events.map(\.delivery) == [.taken, .taken])
        #expect(sink.count == 2)
        running.cancel()
        await running.value
    }

    @Test("Work that expired while no process ran is recorded as such, and nothing is posted")
    func expired() async throws {
        let folder = TemporaryFolder()
        let sink = try ReplySink()
        let stuck = try await stuckService(in: folder)
        #expect(try await post(stuck, body(sink, "1")).status == 200)
        await stuck.ledger.close()

        let next = try await TestService(folder: folder)
        next.clock.advance(seconds: 20)
        let running = await started(next)
        try await eventually { try await next.ledger.outbox(OutboxQuery()).elements.isEmpty }
        let event = try #require(try await next.ledger.events(EventQuery()).elements.first)
        #expect(event.outcome == .outOfTime && event.delivery == nil)
        #expect(event.type == "lnurlpay_invoice" && event.envelope == "template")
        #expect(event.receivedAt == stuck.clock.now)
        #expect(sink.count == 0)
        #expect(next.metrics.page().contains(#"responder_notifications_total{outcome="out-of-time"} 1"#))
        running.cancel()
        await running.value
    }

    @Test("A notification that cannot be stored gets 503, is not processed, and takes no place")
    func unwritable() async throws {
        let service = try await TestService()
        let sink = try ReplySink()
        // The account is known from then on.
        #expect(try await post(service, body(sink, "1")).status == 200)
        try await eventually { sink.count == 1 }
        await service.ledger.close()
        #expect(try await post(service, body(sink, "2")).status == 503)
        #expect(sink.count == 1)
        try await eventually { service.metrics.page().contains("responder_notifications_held 0") }
    }

    @Test("A notification refused for lack of capacity leaves nothing behind")
    func full() async throws {
        let service = try await TestService(queue: NotificationQueueLimits(bytes: 0))
        let sink = try ReplySink()
        #expect(try await post(service, body(sink, "1")).status == 503)
        #expect(try await service.ledger.outbox(OutboxQuery()).elements.isEmpty)
    }

    @Test("The operator lists, shows and retries outbox entries")
    func administration() async throws {
        let service = try await TestService()
        try await service.ledger.tellSettlementsOfAll(true)
        let hash = try #require(try await service.invoice()["verify"]?.string?.split(separator: "/").last)
        let paymentHash = try PaymentHash(hexadecimal: hash)
        try await service.settle(paymentHash)
        let id = "payment-\(hash)"
        let work = try #require(
            try await service.ledger.claim(
                .settlementWebhook, limit: 1, for: "one", at: service.clock.now,
                until: service.clock.now.adding(seconds: 60)
            ).work.first)
        try await service.ledger.park(work, at: service.clock.now, because: "the receiver answers 410")
        let list = try await service.administer("/outbox?state=parked&kind=settlement-webhook&account=alice").json()
        #expect(list["outbox"]?.array?.count == 1)
        #expect(list["outbox"]?.array?.first?["id"] == .string(id))
        #expect(try await service.administer("/outbox?state=pending").json()["outbox"] == [])
        let shown = try await service.administer("/outbox/\(id)").json()
        #expect(shown["state"] == "parked" && shown["attempts"] == 1)
        #expect(shown["failure"] == "the receiver answers 410")
        #expect(shown["payload"] == .string(#"{"paymentHash":"\#(hash)"}"#))
        #expect(
            try await service.administer("/outbox/\(id)/retry", method: .post).json() == ["retried": .string(id)])
        #expect(try await service.ledger.work(work.id)?.isParked == false)
        for target in ["/outbox/nothing", "/outbox/nothing/retry"] {
            let method: HTTPRequest.Method = target.hasSuffix("retry") ? .post : .get
            #expect(try await service.administer(target, method: method).status == 404)
        }
        for target in ["/outbox?state=lost", "/outbox?limit=0", "/outbox?color=red", "/outbox/A"] {
            #expect(try await service.administer(target).status == 400)
        }
        #expect(try await service.administer("/outbox", token: nil).status == 401)
    }

    @Test("A payment is counted once, however and by whichever process it is recorded")
    func counted() async throws {
        let service = try await TestService()
        func page() async throws -> String { try await service.administer("/metrics", token: nil).body }
        #expect(try await page().contains("responder_settlements_total 0\n"))
        try await service.ledger.tellSettlementsOfAll(true)
        let other = try await LedgerDatabase.open(at: service.folder.path + "/ledger.sqlite")
        var hashes: [PaymentHash] = []
        for _ in 0..<3 {
            let url = try #require(try await service.invoice()["verify"]?.string)
            hashes.append(try PaymentHash(hexadecimal: #require(url.split(separator: "/").last)))
        }
        let settlements = [
            try await service.node.settle(hashes[0], at: service.clock.now),
            try await service.node.settle(hashes[1], at: service.clock.now),
            try await service.node.settle(hashes[2], at: service.clock.now),
        ]
        _ = try await service.ledger.record(settlements[0], from: .embedded)
        _ = try await other.record(settlements[1], from: .embedded)
        _ = try await service.ledger.record(settlements[1], from: .embedded)
        let asked = RecordedSettlement(
            settledAt: settlements[2].settledAt, received: settlements[2].received, preimage: settlements[2].preimage)
        _ = try await service.ledger.record(asked, of: hashes[2], from: .embedded)
        _ = try await service.ledger.record(settlements[2], from: .embedded)
        let text = try await page()
        #expect(text.contains("# TYPE responder_settlements_total counter\nresponder_settlements_total 3\n"))
        #expect(text.contains(#"responder_outbox_pending{kind="settlement-webhook"} 3"#))
        #expect(text.contains(#"responder_outbox_parked{kind="settlement-webhook"} 0"#))
        #expect(service.metrics.page().contains(#"responder_invoices_issued_total{domain="example.com"} 3"#))
    }

    @Test("An invoice is counted as issued, whatever the route")
    func issued() async throws {
        let service = try await TestService()
        let forwarder = Forwarder(service: service)
        let offer = try await forwarder.offer()
        _ = try await service.invoice()
        _ = try await service.responder.payResponder(for: Recipient(AccountID("alice@example.com")))
            .invoice(
                answering: forwarder.request(offer).stream.bytes, to: offer, issued: nil, arrival: .forwarder)
        #expect(service.metrics.page().contains(#"responder_invoices_issued_total{domain="example.com"} 2"#))
    }
}
