import LedgerRecords
import Bolt11
import Bolt12
import EmbeddedNode
import HTTPTypes
import LNURL
import LightningCoding
import LightningCrypto
import LoopbackServer
import Platform
import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing
import Waiting
@testable import HTTPService

@Suite("Notifications through the webhook", .timeLimit(.minutes(5)))
struct NotificationRouteTests {
    private func post(
        _ service: TestService, _ body: String, to path: String? = nil, signature: String? = nil,
        responder: Responder? = nil
    ) async throws -> Answer {
        var headers = HTTPFields()
        if let signature, let name = NotificationRoutes.signatureField { headers[name] = signature }
        let target = try path ?? Forwarder(service: service).path()
        return try await Answer(
            service.publicRouter(responder ?? service.responder), target, .post, headers, body)
    }

    /// The event log, once it has this many entries.
    private func events(_ service: TestService, _ count: Int = 1) async throws -> [EventRecord] {
        var events: [EventRecord] = []
        try await eventually {
            events = try await service.ledger.events(EventQuery(limit: 1000)).elements
            return events.count >= count
        }
        return events
    }

    private func invoiceRequest(_ sink: ReplySink, _ id: String, amount: UInt64 = 21_000) -> String {
        #"{"template":"lnurlpay_invoice","data":{"amount":\#(amount),"reply_url":"\#(sink.url(id))"}}"#
    }

    @Test("A notification gets exactly 200 without a body, and its reply is posted to the reply URL")
    func invoice() async throws {
        let service = try await TestService()
        let sink = try ReplySink()
        let answer = try await post(service, invoiceRequest(sink, "1"))
        #expect(answer.status == 200)
        #expect(answer.body == "")
        let reply = try await sink.reply("1")
        #expect(reply.header("content-type") == "application/json")
        let json = try JSONValue(parsing: reply.body)
        let invoice = try Bolt11Invoice(json["pr"]?.string ?? "")
        #expect(invoice.amount == Millisatoshi(21_000))
        #expect(try await service.ledger.invoice(invoice.paymentHash) != nil)
        let event = try #require(try await events(service).first)
        #expect(event.type == "lnurlpay_invoice" && event.account.text == "alice@example.com")
        #expect(event.outcome == .answered && event.delivery == .taken)
        #expect(event.paymentHash == invoice.paymentHash)
        // Counted once it is recorded.
        try await eventually { service.metrics.page().contains(#"responder_replies_total{outcome="taken"} 1"#) }
        let page = service.metrics.page()
        #expect(page.contains(#"responder_notifications_total{outcome="answered"} 1"#))
        #expect(page.contains(#"responder_invoices_issued_total{domain="example.com"} 1"#))
    }

    @Test("A signature of the raw body works like the secret in the path, only for that body and account")
    func signature() async throws {
        let service = try await TestService()
        try await service.put("bob", AccountSettings(description: "Pay Bob", backend: .embedded))
        let sink = try ReplySink()
        let body = invoiceRequest(sink, "1")
        let alice = try AddressName("alice")
        let signature = service.secrets.signature(over: Array(body.utf8), of: alice, in: service.domain)
        let elsewhere = try await post(service, body, to: "/nowhere")
        for (path, text, signature) in [
            ("/webhook/alice", body + " ", signature), ("/webhook/bob", body, signature),
            ("/webhook/alice", body, String(signature.dropLast())), ("/webhook/alice", body, ""),
            ("/webhook/alice", body, service.secrets.pathSecret(of: alice, in: service.domain)),
        ] {
            let answer = try await post(service, text, to: path, signature: signature)
            #expect(answer.status == 404 && answer.body == elsewhere.body && answer.headers == elsewhere.headers)
        }
        let carol = service.secrets.signature(over: Array(body.utf8), of: try AddressName("carol"), in: service.domain)
        #expect(try await post(service, body, to: "/webhook/carol", signature: carol).status == 404)
        #expect(try await post(service, body, to: "/webhook/alice").status == 404)
        #expect(try await post(service, body, to: "/webhook/alice", signature: signature.uppercased()).status == 200)
        _ = try await sink.reply("1")
        // RFC 2104 with the secret's characters as the key, computed independently.
        let key = SecretBytes(Array(service.secrets.pathSecret(of: alice, in: service.domain).utf8))
        #expect(signature == Hexadecimal.encode(HMACSHA256.Keyed(key).authenticate(Array(body.utf8))))
    }

    @Test("Only an open webhook accepts unsigned calls, and none accepts a wrong signature")
    func open() async throws {
        let service = try await TestService()
        let body = #"{"template":"tx_confirmed","data":{"tx_id":"1"}}"#
        for (isOpen, status) in [(false, 404), (true, 200)] {
            let router = service.publicRouter(service.responder, isWebhookOpen: isOpen)
            #expect(try await Answer(router, "/webhook/alice", .post, [:], body).status == status)
            #expect(try await Answer(router, "/webhook/nobody", .post, [:], body).status == 404)
            #expect(try await Answer(router, "/webhook/alice/0000", .post, [:], body).status == 404)
            let field = try #require(HTTPField.Name("X-Webhook-Signature"))
            #expect(try await Answer(router, "/webhook/alice", .post, [field: "00"], body).status == 404)
        }
    }

    @Test(
        "Malformed notifications are refused as such, and nothing is posted",
        arguments: [
            ("", "the notification must be a JSON document"), ("[]", "the notification must be a JSON object"),
            (#"{"template":"lnurlpay_info"}"#, "data is missing"),
            (#"{"template":"lnurlpay_info","data":{"callback_url":"c"}}"#, "reply_url is missing"),
            (#"{"template":"lnurlpay_invoice","data":{"amount":"1","reply_url":"SINK"}}"#, ""),
            (#"{"template":"lnurlpay_invoice","data":{"amount":-1,"reply_url":"SINK"}}"#, ""),
            (#"{"template":"lnurlpay_invoice","data":{"amount":18446744073709551616,"reply_url":"SINK"}}"#, ""),
            (#"{"template":"lnurlpay_invoice","data":{"reply_url":"SINK"}}"#, "amount is missing"),
            (#"{"notification_type":"lnurlpay_info","notification_payload":"{"}"#, ""),
        ])
    func unreadable(body: String, reason: String) async throws {
        let service = try await TestService()
        let sink = try ReplySink()
        let answer = try await post(service, body.replacing("SINK", with: sink.url("1")))
        #expect(answer.status == 400)
        #expect(answer.reason != nil && answer.invoiceError == answer.reason)
        if !reason.isEmpty { #expect(answer.reason == reason) }
        #expect(sink.count == 0)
        #expect(try await service.ledger.events(EventQuery()).elements.isEmpty)
    }

    @Test("A megabyte is refused with a reason, whatever it contains", arguments: [1 << 18, 1 << 20, (1 << 20) + 1])
    func tooLarge(count: Int) async throws {
        let service = try await TestService()
        let text = String(repeating: "x", count: count)
        let answer = try await post(service, #"{"template":"\#(text)","data":{}}"#)
        #expect(answer.status == 413)
        #expect(answer.reason == "the body is too large")
    }

    @Test(
        "Nothing is posted to a non-public address",
        arguments: [
            "http://127.0.0.1.example.com:80/x", "http://10.0.0.1/x", "https://192.168.0.1/x",
            "https://169.254.169.254/x",
            "https://[::ffff:10.0.0.1]/x", "https://user@example.com/x", "ftp://example.com/x",
            "https://example.com:22/x",
            "x", "https://[fe80::1]/x", "https://100.64.0.1/x",
        ])
    func forbidden(url: String) async throws {
        let service = try await TestService()
        let answer = try await post(
            service, #"{"template":"lnurlpay_invoice","data":{"amount":1000,"reply_url":"\#(url)"}}"#)
        #expect(answer.status == 400)
        #expect(answer.reason == "posting to that reply_url is not allowed")
        #expect(answer.invoiceError == nil)
        #expect(try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.isEmpty)
    }

    @Test("An invoice request with a reply URL is answered there, without one in the response")
    func invoiceRequest() async throws {
        let service = try await TestService()
        let forwarder = Forwarder(service: service)
        let sink = try ReplySink()
        let offer = try await forwarder.offer()
        let request = Hexadecimal.encode(try forwarder.request(offer).stream.bytes)
        let body =
            #"{"event":"invoice.request","data":{"invoiceRequest":"\#(request)","reply_url":"\#(sink.url("7"))"}}"#
        let answer = try await post(service, body)
        #expect(answer.status == 200 && answer.body == "")
        let reply = try JSONValue(parsing: try await sink.reply("7").body)
        let direct = try await forwarder.post(
            #"{"event":"invoice.request","data":{"invoiceRequest":"\#(request)"}}"#)
        #expect(reply["invoice"]?.string?.hasPrefix("lni1") == true)
        #expect(try direct.json() == reply)
        let deliveries = try await events(service, 2).map(\.delivery)
        #expect(Set(deliveries) == [.taken, .inResponse])
    }

    @Test("A refused reply is recorded as such")
    func refusedReply() async throws {
        let service = try await TestService()
        let sink = try ReplySink(status: 404)
        #expect(try await post(service, invoiceRequest(sink, "1")).status == 200)
        let event = try #require(try await events(service).first)
        #expect(event.outcome == .answered && event.delivery == .failed)
        // Counted after it is recorded.
        try await eventually { service.metrics.page().contains(#"responder_replies_total{outcome="failed"} 1"#) }
    }

    @Test(
        "A node that hangs takes no capacity from other accounts, and LNURL gets an error reply in time"
    )
    func nodeHangs() async throws {
        let now = Guarded(MonotonicTime(sinceStart: .zero))
        let service = try await TestService(
            queue: NotificationQueueLimits(atWork: 4, atWorkForAccount: 2, waiting: 10, bytes: 1 << 20),
            time: .seconds(160),
            monotonic: MonotonicClock(now: { now.withLock { $0 } }) { moment in
                try await eventually { now.withLock { $0 >= moment } }
            })
        try await service.put("bob", AccountSettings(description: "Pay Bob", backend: .embedded))
        let sink = try ReplySink()
        let node = service.node
        let hanging = try await service.responder(
            in: StubBackend(node) { order throws(BackendFault) in
                try? await Task.sleep(for: .seconds(600))
                return try await node.createInvoice(order)
            })
        for id in 1...6 {
            #expect(try await post(service, invoiceRequest(sink, "a\(id)"), responder: hanging).status == 200)
        }
        let bob = try Forwarder(service: service).path("bob")
        #expect(try await post(service, invoiceRequest(sink, "b"), to: bob).status == 200)
        _ = try await sink.reply("b")
        #expect(sink.replies("a1").isEmpty)
        now.withLock { $0 = $0 + .seconds(120) }
        let reply = try JSONValue(parsing: try await sink.reply("a1").body)
        #expect(reply["status"] == "ERROR")
        now.withLock { $0 = $0 + .seconds(120) }
        #expect(try await events(service, 7).count { $0.outcome == .outOfTime } > 0)
    }

    @Test("A full queue refuses in the family's format, with a retry time")
    func full() async throws {
        let service = try await TestService(
            queue: NotificationQueueLimits(atWork: 1, atWorkForAccount: 1, waiting: 0, bytes: 1 << 20))
        let sink = try ReplySink()
        let node = service.node
        let hanging = try await service.responder(
            in: StubBackend(node) { order throws(BackendFault) in
                try? await Task.sleep(for: .seconds(600))
                return try await node.createInvoice(order)
            })
        #expect(try await post(service, invoiceRequest(sink, "1"), responder: hanging).status == 200)
        let answer = try await post(service, invoiceRequest(sink, "2"), responder: hanging)
        #expect(answer.status == 503)
        #expect(answer.headers[.retryAfter] == "2")
        #expect(answer.body == #"{"status":"ERROR","reason":"Temporarily unavailable; please try again later"}"#)
        let offered = #"{"event":"invoice.request","data":{"invoiceRequest":"00","reply_url":"\#(sink.url("3"))"}}"#
        #expect(
            try await post(service, offered, responder: hanging).body
                == #"{"error":"Temporarily unavailable; please try again later"}"#)
        #expect(service.metrics.page().contains("responder_notifications_refused_total 2"))
    }

    @Test("More notifications at once than may wait: each is answered at its reply URL or refused clearly")
    func tooManyAtOnce() async throws {
        let service = try await TestService(
            queue: NotificationQueueLimits(atWork: 64, atWorkForAccount: 64, waiting: 400))
        let sink = try ReplySink()
        let path = try Forwarder(service: service).path()
        let statuses = try await withThrowingTaskGroup(of: (Int, Int).self, returning: [Int: Int].self) { group in
            for id in 0..<1_000 {
                group.addTask {
                    let url = sink.url("\(id)")
                    let body = #"{"template":"lnurlpay_info","data":{"callback_url":"c","reply_url":"\#(url)"}}"#
                    return (id, try await post(service, body, to: path).status)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let accepted = statuses.filter { $0.value == 200 }
        #expect(accepted.count >= 400)
        #expect(statuses.values.allSatisfy { $0 == 200 || $0 == 503 })
        for id in accepted.keys { _ = try await sink.reply("\(id)") }
        #expect(sink.count == accepted.count)
    }
}
