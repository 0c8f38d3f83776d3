import LedgerRecords
import CoreMetrics
@testable import Devices
import HTTPTypes
import Hummingbird
import LightningCoding
import LightningCrypto
import Logging
import OutboundHTTP
import Platform
import PushProviders
import Registrations
import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing
import Waiting
@testable import HTTPService

@Suite("Notifications for devices", .timeLimit(.minutes(5)))
struct PushRouteTests {
    static let device = String(repeating: "ab", count: 32)
    static let info =
        #"{"template":"lnurlpay_info","data":{"callback_url":"https://a/cb","reply_url":"https://a/r/1"}}"#
    static let swap = #"{"event":"swap.update","data":{"id":"abc","status":"transaction.mempool"}}"#
    static let request = #"{"event":"invoice.request","data":{"offer":"lno1","invoiceRequest":"00aa"}}"#

    let apns: APNsStandIn
    let service: TestService
    let delivery: PushDelivery
    let observer: PushObserver
    private let sender: PushSender

    init() async throws {
        let key = try P256SecretKey([UInt8](repeating: 0x42, count: 32))
        let apns = try await APNsStandIn(
            key: key.publicKey, keyID: "ABC123DEFG", team: "DEF123GHIJ", topics: ["com.example.wallet"])
        let service = try await TestService()
        self.apns = apns
        self.service = service
        let observer = PushObserver(metrics: service.metrics, logger: .init(label: "test"))
        self.observer = observer
        var client = HTTPClient.Configuration()
        client.http2 = .priorKnowledge
        let provider = APNsProvider(
            key: try APNsKey(id: "ABC123DEFG", team: "DEF123GHIJ", key), topic: "com.example.wallet",
            servers: [.production: try apns.url], client: client, tokensIn: service.ledger,
            report: { observer.note($0) })
        var settings = PushDelivery.Settings(
            replyBase: try HTTPURL("https://nds.example.com/api/v1/response"),
            collapseSecret: SecretBytes([1, 2, 3]))
        settings.replyTime = .seconds(20)
        sender = PushSender(apns: provider, fcm: nil, webPush: nil)
        delivery = PushDelivery(
            settings, sender: sender, replies: service.replies, slots: service.slots, ledger: service.ledger,
            report: { observer.note($0) })
    }

    /// Another instance on the same ledger.
    func delivery(
        _ settings: PushDelivery.Settings, shared: (any SharedReplies)? = nil, clock: MonotonicClock = .system,
        wallClock: @escaping WallClock = { .now() }
    ) -> PushDelivery {
        PushDelivery(
            settings, sender: sender, replies: AwaitedReplies(shared: shared), slots: service.slots,
            ledger: service.ledger, clock: clock, wallClock: wallClock)
    }

    func router(_ rates: ServiceRates = ServiceRates(), pushes: Bool = true) -> CallbackResponder<ServiceContext> {
        let admission = Admission(rates, metrics: service.metrics)
        return pushes
            ? service.router(Payers(service.responder), delivery, admission: admission)
            : service.router(Payers(service.responder), admission: admission)
    }

    func post(
        _ body: String, _ query: String = "platform=ios&token=\(device)", at path: String = "/api/v1/notify",
        rates: ServiceRates = ServiceRates()
    ) async throws -> Answer {
        try await Answer(router(rates), query.isEmpty ? path : path + "?" + query, .post, [:], body)
    }

    @Test("A payer's question is with the provider when its sender gets 200, without a text")
    func question() async throws {
        let answer = try await post(Self.info, "platform=ios&token=\(Self.device)&app_data=x%20y")
        #expect(answer.status == 200)
        #expect(answer.body == "")
        let push = try #require(apns.accepted.first)
        #expect(push.token == Self.device)
        #expect(push.headers["apns-collapse-id"] == nil)
        #expect(push.body["notification_type"] == "lnurlpay_info")
        #expect(push.body["notification_payload"] == #"{"callback_url":"https://a/cb","reply_url":"https://a/r/1"}"#)
        #expect(push.body["app_data"] == "x y")
    }

    @Test("The sender of a question learns at once that a device has gone, or that the provider does not take it")
    func undelivered() async throws {
        apns.script(Self.device, [HTTP2Answer(410, #"{"reason":"Unregistered","timestamp":1}"#)])
        #expect(try await post(Self.info).status == 410)
        let failed = HTTP2Answer(503, #"{"reason":"Shutdown"}"#)
        apns.script(Self.device, [failed, failed])
        #expect(try await post(Self.info).status == 503)
        #expect(try await post(Self.info, "platform=android&token=x").status == 503)
    }

    @Test(
        "Malformed requests get 400 with an empty body, as at breez/notify",
        arguments: [
            ("token=t", PushRouteTests.swap), ("platform=IOS&token=t", PushRouteTests.swap),
            ("platform=ios", PushRouteTests.swap),
            ("platform=ios&token=t", "{"), ("platform=ios&token=t", ""),
            ("platform=ios&token=t", #"{"template":"swap_updated","data":{"id":"a","status":"b"}}"#),
            ("platform=ios&token=%ff", PushRouteTests.swap),
        ])
    func malformed(query: String, body: String) async throws {
        let answer = try await post(body, query)
        #expect(answer.status == 400)
        #expect(answer.body == "")
    }

    @Test("An event is durable when its sender gets 200, and is sent by the outbox")
    func durable() async throws {
        #expect(try await post(Self.swap).status == 200)
        #expect(apns.accepted.isEmpty)
        let kept = try await service.ledger.outbox(OutboxQuery(kind: .push)).elements
        #expect(kept.count == 1 && kept.first?.account == nil)
        // Another process, after this one was killed.
        let runner = OutboxRunner(delivery, of: service.ledger, holder: "another")
        await runner.runOnce()
        let push = try #require(apns.accepted.first)
        #expect(push.body["notification_payload"] == #"{"id":"abc","status":"transaction.mempool"}"#)
        #expect(push.headers["apns-collapse-id"]?.utf8.count == 64)
        #expect(try await service.ledger.outbox(OutboxQuery(kind: .push)).elements.isEmpty)
        await runner.runOnce()
        #expect(apns.accepted.count == 1)
    }

    @Test("An event that the provider cannot take now stays, for as long as the provider asks; a refused one is parked")
    func kept() async throws {
        apns.script(Self.device, [HTTP2Answer(429, #"{"reason":"TooManyRequests"}"#)])
        #expect(try await post(Self.swap).status == 200)
        let before = UnixTime.now()
        let runner = OutboxRunner(delivery, of: service.ledger, holder: "another")
        await runner.runOnce()
        let work = try #require(try await service.ledger.outbox(OutboxQuery(kind: .push)).elements.first)
        #expect(work.failure == "too many messages for this device")
        guard case .pending(let due) = work.state else { return #expect(Bool(false), "\(work.state)") }
        #expect(due >= before.adding(seconds: 60))
        let other = String(repeating: "cd", count: 32)
        apns.script(other, [HTTP2Answer(400, #"{"reason":"TopicDisallowed"}"#)])
        #expect(try await post(Self.swap, "platform=ios&token=\(other)").status == 200)
        await runner.runOnce()
        let parked = try #require(
            try await service.ledger.outbox(OutboxQuery(kind: .push, isParked: true)).elements.first)
        #expect(parked.isParked)
        #expect(parked.failure == "TopicDisallowed")
    }

    @Test("An event that has expired is not sent, and one for a device that has gone is dropped")
    func dropped() async throws {
        #expect(try await post(Self.swap).status == 200)
        let late = PushDelivery(
            PushDelivery.Settings(
                replyBase: try HTTPURL("https://a/"), collapseSecret: SecretBytes([1])),
            sender: PushSender(apns: nil, fcm: nil, webPush: nil), replies: service.replies, slots: service.slots,
            ledger: service.ledger,
            wallClock: { UnixTime.now().adding(seconds: 86_401) })
        let work = try #require(try await service.ledger.outbox(OutboxQuery(kind: .push)).elements.first)
        #expect(await late.carryOut(work) == .dropped("it has expired"))
        apns.script(Self.device, [HTTP2Answer(410, #"{"reason":"Unregistered"}"#)])
        #expect(await delivery.carryOut(work) == .dropped("the device has gone"))
    }

    @Test("An invoice request is answered with the device's reply, whatever it says; a second reply finds nobody")
    func reply() async throws {
        let waiting = Task { try await post(Self.request) }
        try await eventually { !apns.accepted.isEmpty }
        let payload = try JSONValue(parsing: try #require(apns.accepted.first?.body["notification_payload"]?.string))
        #expect(payload["offer"] == "lno1")
        #expect(payload["invoice_request"] == "00aa")
        let url = try HTTPURL(try #require(payload["reply_url"]?.string))
        #expect(url.text.hasPrefix("https://nds.example.com/api/v1/response/"))
        // What is not an object is no reply, and the request goes on waiting.
        #expect(try await post("<html>", "", at: url.path).status == 400)
        let taken = try await post(#"{"invoice":"lni1x"}"#, "", at: url.path)
        #expect(taken.status == 200)
        let answer = try await waiting.value
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "application/json")
        #expect(answer.body == #"{"invoice":"lni1x"}"#)
        #expect(service.metrics.page().contains("responder_push_reply_seconds_count 1"))
        #expect(try await post("{}", "", at: url.path).status == 500)
    }

    @Test("An invoice request that says where to reply is pushed like a payer's question, and nobody waits for it here")
    func replyElsewhere() async throws {
        let answer = try await post(
            #"{"event":"invoice.request","data":{"offer":"lno1","invoiceRequest":"00aa","reply_url":"https://a/r/1"}}"#)
        #expect(answer.status == 200 && answer.body == "")
        let payload = try JSONValue(parsing: try #require(apns.accepted.first?.body["notification_payload"]?.string))
        #expect(payload == ["invoice_request": "00aa", "offer": "lno1", "reply_url": "https://a/r/1"])
    }

    @Test("Replies of no use count, whatever they are, and mute nobody who is waited for behind the same address")
    func junk() async throws {
        let router = router(ServiceRates([.unknownReply: RateLimit(burst: 2, interval: .seconds(3_600))]))
        func reply(_ body: String, to path: String = "/api/v1/response/1") async throws -> Int {
            try await Answer(router, path, .post, [:], body).status
        }
        let waiting = Task { try await post(Self.request) }
        try await eventually { !apns.accepted.isEmpty }
        let payload = try JSONValue(parsing: try #require(apns.accepted.first?.body["notification_payload"]?.string))
        let path = try HTTPURL(try #require(payload["reply_url"]?.string)).path
        #expect(try await reply("<html>") == 400)
        #expect(try await reply("{}") == 500)
        for body in ["<html>", "{}"] { #expect(try await reply(body) == 429) }
        #expect(try await reply(#"{"invoice":"lni1x"}"#, to: path) == 200)
        #expect(try await waiting.value.body == #"{"invoice":"lni1x"}"#)
    }

    @Test("An invoice request whose device has gone, or whose message is too large, is answered with an error")
    func noReply() async throws {
        apns.script(Self.device, [HTTP2Answer(410, #"{"reason":"Unregistered"}"#)])
        let gone = try await post(Self.request)
        #expect(gone.status == 200)
        #expect(gone.body == #"{"error":"the device can no longer be reached"}"#)
        let large =
            #"{"event":"invoice.request","data":{"offer":"lno1","invoiceRequest":"\#(String(repeating: "00", count: 2000))"}}"#
        #expect(try await post(large).body == #"{"error":"the invoice request is too large for the device"}"#)
    }

    @Test("A device that does not reply in time leaves 500, and the service's stop does so at once")
    func silent() async throws {
        let waiting = Task { try await post(Self.request) }
        try await eventually { !apns.accepted.isEmpty }
        await delivery.replies.stop()
        let answer = try await waiting.value
        #expect(answer.status == 500)
        #expect(answer.body == "")
        #expect(service.metrics.page().contains("responder_push_replies_missing_total 1"))
        #expect(try await post(Self.request).body == #"{"error":"the service cannot answer now"}"#)
    }

    @Test(
        "Requests of one network that wait for devices take an eighth of the slots of all who wait; events take none")
    func slots() async throws {
        service.slots.total = 16
        func token(_ number: Int) -> String { "platform=ios&token=" + String(repeating: "\(number)", count: 64) }
        let waiting = (0..<2).map { number in Task { try await post(Self.request, token(number)) } }
        try await eventually { apns.accepted.count == 2 }
        let refused = try await post(Self.request, token(2))
        #expect(refused.status == 200)
        #expect(refused.body == #"{"error":"too many requests of this network wait for devices"}"#)
        let question = try await post(Self.info, token(2))
        #expect(question.status == 429 && question.headers[.retryAfter] == "60")
        #expect(try await post(Self.swap, token(2)).status == 200)
        #expect(apns.accepted.count == 2)
        _ = try service.slots.take(for: ClientNetwork(IPAddress("192.0.2.1")))
        await delivery.replies.stop()
        for task in waiting { _ = try await task.value }
        #expect(service.slots.count == 0)
        #expect(try await post(Self.info, token(2)).status == 200)
        #expect(service.slots.count == 0)
        service.slots.total = 0
        let full = try await post(Self.request, token(2))
        #expect(full.body == #"{"error":"too many requests wait for devices"}"#)
    }

    @Test("Replies are at most 64 KiB, to a decimal id; unknown ids are told so, and not for ever")
    func replies() async throws {
        #expect(try await post("{}", "", at: "/api/v1/response/1").status == 500)
        #expect(try await post("{}", "", at: "/api/v1/response/x").status == 400)
        let long = #"{"a":"\#(String(repeating: "x", count: 1 << 16))"}"#
        #expect(try await post(long, "", at: "/api/v1/response/1").status == 400)
    }

    @Test("Without a configured provider the routes do not exist")
    func off() async throws {
        for path in ["/api/v1/notify?platform=ios&token=t", "/api/v1/response/1"] {
            #expect(try await Answer(router(pushes: false), path, .post, [:], Self.swap).status == 404)
        }
    }

    @Test("Messages are counted by provider and end, and an alarm is told")
    func metrics() async throws {
        _ = try await post(Self.info)
        apns.script(Self.device, [HTTP2Answer(403, #"{"reason":"InvalidProviderToken"}"#)])
        _ = try await post(Self.info)
        let page = service.metrics.page()
        #expect(
            page.contains(
                #"responder_push_messages_total{outcome="accepted",priority="reply",provider="apns"} 1"#)
                || page.contains(
                    #"responder_push_messages_total{provider="apns",priority="reply",outcome="accepted"} 1"#)
        )
        #expect(page.contains(#"responder_push_alarms_total{provider="apns"} 1"#))
        #expect(!page.contains("responder_push_queued_total"))
        _ = try await post(Self.swap)
        #expect(service.metrics.page().contains("responder_push_queued_total 1"))
        #expect(page.contains("credential-refused"))
        #expect(!page.contains(Self.device))
    }
}
