import HTTPTypes
import LNURL
import LightningCoding
import LightningCrypto
import LoopbackServer
import Platform
import Registrations
import ResponderCore
import ResponderModel
import Testing

@Suite("App users' webhooks and names", .timeLimit(.minutes(5)))
struct GatewayHostileTests {
    @Test("A webhook that takes the connection and never answers is given up after its own time")
    func slowWebhook() async throws {
        let phone = try Phone(try await GatewayFixture(postTime: .milliseconds(200)))
        let server = try LoopbackServer(raw: { connection in
            // Until the other side closes.
            while connection.readRequest() != nil {}
        })
        try await phone.fixture.register(phone.device, as: "phone", webhook: "http://127.0.0.1:\(server.port)/")
        #expect(try await phone.fixture.ask("/lnurlp/phone").reason == DeviceRefusal.unreachable.reason)
        #expect(server.connections == 1 && phone.fixture.gateway.channel.waiting == (0, 0))
    }

    @Test("No line of the log holds a token, a reply id, a comment, or what a device says")
    func log() async throws {
        let log = RecordingLog(at: nil)
        let fixture = try await GatewayFixture(time: .milliseconds(500), logger: log.logger)
        let phone = try Phone(fixture)
        let device = phone.device
        try await fixture.register(device, as: "phone")
        let invoice = "/lnurlpay/phone/invoice?amount=1000&comment=a-secret-comment"
        _ = try await fixture.ask(invoice)
        for behavior in [
            TestDevice.Behavior.says(#"{"status":"ERROR","reason":"no https://x/?token=secret-token"}"#),
            .says(#"{"tag":"secret-token"}"#), .says("secret-token"), .silent, .status(500),
        ] {
            device.behavior.withLock { $0 = behavior }
            _ = try await fixture.ask(invoice)
            _ = try await fixture.ask("/lnurlp/phone")
        }
        // A webhook that is closed, and statements that are refused.
        let closed = try ClosedPort()
        try await fixture.register(
            device, as: "phone", webhook: "http://127.0.0.1:\(closed.port)/?token=secret-token", time: 1)
        _ = try await fixture.ask("/lnurlp/phone")
        try await fixture.register(device, as: "phone", webhook: "https://10.0.0.1/?token=secret-token", time: 2)
        try await fixture.register(device, as: "phone", time: 100_000)
        _ = try await fixture.ask("/response/12345678901234567890", .post, body: "secret-token")

        let lines = log.lines.map(\.all)
        for cause in ["the device refuses", "status 500", "has not answered", "clock", "the reply is not JSON"] {
            #expect(lines.contains { $0.contains(cause) }, "\(cause)")
        }
        let ids = device.questions.compactMap { $0["data"]?["reply_url"]?.string?.split(separator: "/").last }
        #expect(ids.count > 10)
        for word in ["secret-token", "a-secret-comment", "12345678901234567890"] + ids.map({ String($0) }) {
            #expect(!lines.contains { $0.contains(word) })
        }
    }

    @Test("Where a name is both an account's and registered, the account answers")
    func precedence() async throws {
        let phone = try await Phone.registered()
        let service = phone.fixture.service
        let name = Recipient(try AccountID(AddressName("phone"), at: phone.fixture.domain.name))
        let (users, key) = (phone.fixture.users, phone.device.key.publicKey)
        let here = service.responder.with(others: users.responder)
        #expect(try await here.payResponder(for: name).kind == .registered(key))
        // No ledger lets both happen: here another one holds the accounts.
        let other = try await TestService()
        try await other.put("phone", AccountSettings(description: "x", backend: .embedded))
        let there = other.responder.with(others: users.responder)
        #expect(try await there.payResponder(for: name).kind == .account)
        #expect(try await here.payResponder(for: Recipient(AccountID("nobody@example.com"))).kind == .unknown)
    }

    @Test("When the operator removes a registration its payers are told so, and its device's reply reaches nobody")
    func removal() async throws {
        let phone = try await Phone.registered()
        phone.device.behavior.withLock { $0 = .silent }
        let fixture = phone.fixture
        async let answer = fixture.ask("/lnurlp/phone")
        let url = try #require(try await phone.device.question(0)["data"]?["reply_url"]?.string)
        let removed = try await fixture.service.administer(
            "/registrations/phone", method: .delete, of: fixture.gateway)
        #expect(removed.status == 200)
        #expect(try await answer.reason == DeviceRefusal.unreachable.reason)
        #expect(try await fixture.ask(HTTPURL(url).path, .post, body: "{}").status == 500)
    }

    @Test("Paths of an account that is named `available` are not for wallets")
    func available() async throws {
        let fixture = try await GatewayFixture()
        try await fixture.service.put("available", AccountSettings(description: "x", backend: .embedded))
        let invoice = try await fixture.ask("/lnurlpay/available/invoice?amount=1000").json()
        let verify = try HTTPURL(try #require(invoice["verify"]?.string)).path
        #expect(try await fixture.ask(verify).json()["settled"] == false)
    }

    @Test("No address is promised for an offer while nothing publishes it")
    func offers() async throws {
        let phone = try Phone(try await GatewayFixture())
        let (fixture, device) = (phone.fixture, phone.device)
        let time = "\(fixture.service.clock.now.seconds)"
        func body(_ parts: [String], _ name: JSONValue) throws -> String {
            JSONValue.object([
                "time": .unsigned(fixture.service.clock.now.seconds), "username": name, "offer": "lno1xyz",
                "signature": .string(try device.sign([time] + parts)),
            ]).serialized()
        }
        let path = "/bolt12offer/\(device.publicKey)"
        let registered = try await fixture.ask(path, .post, body: body(["phone", "lno1xyz"], "phone"))
        #expect(registered.status == 200 && registered.body == "{}")
        let recovered = try await fixture.ask("\(path)/recover", .post, body: body(["lno1xyz"], .null))
        #expect(recovered.status == 200 && recovered.body == "{}")
    }
}
