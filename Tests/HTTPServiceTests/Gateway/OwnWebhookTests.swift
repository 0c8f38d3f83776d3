import Devices
import HTTPTypes
import LightningCoding
import OutboundHTTP
import Platform
import PushProviders
import Registrations
import ResponderCore
import ResponderModel
import Testing
import Waiting

@Suite("Webhooks that are our own endpoint for push messages", .timeLimit(.minutes(5)))
struct OwnWebhookTests {
    private let pushes: PushRouteTests
    private let fixture: GatewayFixture
    private let posted = Guarded<[String]>([])

    init() async throws {
        pushes = try await PushRouteTests()
        let post: ReplyChannel.Post = { [posted] _, webhook, _, _ throws(OutboundFault) in
            posted.withLock { $0.append(webhook.text) }
            return .init(status: 404, body: [])
        }
        fixture = try await GatewayFixture(
            on: pushes.service,
            post: pushes.delivery.posting(for: pushes.service.responder.accounts, otherwise: post))
    }

    private func register(_ name: String, _ key: UInt64, at webhook: String) async throws {
        let answer = try await fixture.register(try TestDevice(key: key), as: name, webhook: webhook)
        #expect(answer.status == 200)
    }

    @Test("A wallet is reached without a connection to ourselves, and its reply reaches the payer")
    func reached() async throws {
        try await register(
            "phone", 1,
            at: "https://example.com/api/v1/notify?platform=ios&token=\(PushRouteTests.device)&app_data=x%20y")
        let payer = Task { [fixture] in try await fixture.ask("/lnurlp/phone") }
        try await eventually { !pushes.apns.accepted.isEmpty }
        let push = try #require(pushes.apns.accepted.first)
        #expect(push.token == PushRouteTests.device)
        #expect(push.body["app_data"] == "x y")
        let question = try JSONValue(parsing: try #require(push.body["notification_payload"]?.string))
        let reply = JSONValue.object([
            "callback": question["callback_url"] ?? .null, "maxSendable": 1_000_000, "minSendable": 1_000,
            "metadata": .string(TestDevice.metadata), "tag": "payRequest",
        ])
        let path = try HTTPURL(try #require(question["reply_url"]?.string)).path
        #expect(try await fixture.ask(path, .post, body: reply.serialized()).status == 200)
        #expect(try await payer.value.json()["maxSendable"] == 1_000_000)
        #expect(posted.withLock { $0 }.isEmpty)
    }

    @Test("A device that has gone, and a token that is none, end the question at once")
    func gone() async throws {
        pushes.apns.script(PushRouteTests.device, [HTTP2Answer(410, #"{"reason":"Unregistered","timestamp":1}"#)])
        for (number, token) in [PushRouteTests.device, "none", ""].enumerated() {
            let name = "phone\(number)"
            try await register(
                name, UInt64(number + 1), at: "https://example.com/api/v1/notify?platform=ios&token=\(token)")
            #expect(try await fixture.ask("/lnurlp/\(name)").json()["status"] == "ERROR")
        }
        #expect(posted.withLock { $0 }.isEmpty)
    }

    @Test("The same path at another host, and other paths there, are posted to")
    func elsewhere() async throws {
        for (number, webhook) in ["https://example.org/api/v1/notify?platform=ios&token=x", "https://example.org/x"]
            .enumerated()
        {
            try await register("phone\(number)", UInt64(number + 1), at: webhook)
            #expect(try await fixture.ask("/lnurlp/phone\(number)").json()["status"] == "ERROR")
        }
        #expect(posted.withLock { $0.count } == 2)
        #expect(pushes.apns.accepted.isEmpty)
    }
}
