import Bolt12
import HTTPTypes
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import Registrations
import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing
@testable import HTTPService

@Suite("What is decided about app users here, and not by their phones", .timeLimit(.minutes(5)))
struct GatewayRuleTests {
    @Test("A comment of more than 1000 characters wakes no phone, although it has not told its limit yet")
    func longComment() async throws {
        let phone = try await Phone.registered()
        func invoice(_ count: Int) async throws -> Answer {
            let comment = String(repeating: "x", count: count)
            return try await phone.fixture.ask("/lnurlpay/phone/invoice?amount=1000&comment=\(comment)")
        }
        #expect(try await invoice(1_001).reason == "The comment has more than 1000 characters")
        #expect(phone.device.questions.isEmpty)
        #expect(try await invoice(1_000).json()["pr"] != nil)
    }

    @Test("The invoices of a wallet without a name count for its key, without the first byte")
    func keyAccount() async throws {
        let fixture = try await GatewayFixture()
        let phone = try Phone(fixture)
        try await fixture.register(phone.device, as: nil)
        let id = RegistrationID(phone.device.key.publicKey, at: fixture.domain.name)
        let responder = try await fixture.users.responder(for: .key(id))
        #expect(responder?.account?.name.text == String(phone.device.publicKey.dropFirst(2)))
    }

    @Test("A BOLT12 request wakes the phone if it is for its offer, signed, and forwarded for no other one")
    func requests() async throws {
        let phone = try Phone(try await GatewayFixture())
        let offer = try phone.device.offer()
        try await phone.fixture.register(phone.device, as: "phone", offer: offer.text)
        let forwarder = Forwarder(service: phone.fixture.service)
        let path = try forwarder.path("phone", owner: phone.device.key.publicKey)
        let bytes = try forwarder.request(offer) { $0.amount = Millisatoshi(21_000) }.stream.bytes
        func ask(_ bytes: [UInt8], for offer: Offer?) async throws -> Answer {
            try await phone.fixture.ask(path, .post, body: Forwarder.body(bytes, offer: offer?.text))
        }
        // The signature comes last.
        let spoilt = Array(bytes.dropLast()) + [bytes[bytes.count - 1] ^ 1]
        #expect(try await ask(spoilt, for: offer).invoiceError != nil)
        #expect(try await ask(bytes, for: phone.device.offer("coffee")).invoiceError != nil)
        #expect(phone.device.questions.isEmpty)
        for named in [nil, offer] {
            #expect(try await ask(bytes, for: named).invoice().amount == Millisatoshi(21_000))
        }
    }

    @Test("A name that a domain reserves cannot be registered there, and elsewhere it can")
    func reservedByDomain() async throws {
        let fixture = try await GatewayFixture()
        var settings = DomainSettings()
        settings.reserved = [try AddressName("boss")]
        _ = try await fixture.service.ledger.putDomain(at: PublicURL("https://example.net"), settings)
        try await fixture.service.responder.accounts.refresh()
        let phone = try Phone(fixture)
        let refused = try await fixture.register(phone.device, as: "boss", host: "example.net")
        #expect(refused.status == 409 && refused.body == "username conflict: boss\n")
        #expect(try await fixture.register(phone.device, as: "bossy", host: "example.net").status == 200)
        #expect(try await fixture.register(phone.device, as: "boss").status == 200)
    }

    @Test("Who waits for a phone is told when its wallet unregisters, and waits on when it registers again")
    func unregistering() async throws {
        let phone = try await Phone.registered()
        let (fixture, device) = (phone.fixture, phone.device)
        device.behavior.withLock { $0 = .silent }
        let waiting = Task { try await fixture.ask("/lnurlp/phone") }
        _ = try await device.question(0)
        #expect(try await fixture.register(device, as: "phone", time: 1).status == 200)
        #expect(fixture.gateway.channel.waiting == (1, 1))
        let goodbye = try device.statement(time: Int64(fixture.service.clock.now.seconds) + 2).serialized()
        #expect(try await fixture.ask("/lnurlpay/\(device.publicKey)", .delete, body: goodbye).status == 200)
        #expect(try await waiting.value.reason == DeviceRefusal.unreachable.reason)
    }

    @Test("A wallet that gives up a fourth name in a month is told when to come again")
    func names() async throws {
        let phone = try await Phone.registered()
        func register(_ name: String, time: Int64) async throws -> Answer {
            try await phone.fixture.register(phone.device, as: name, time: time)
        }
        for (number, name) in ["a1", "a2", "a3"].enumerated() {
            #expect(try await register(name, time: Int64(number + 1)).status == 200)
        }
        let refused = try await register("a4", time: 4)
        #expect(refused.status == 429 && refused.body == "too many changes of the username\n")
        #expect(refused.headers[.retryAfter] == "\(30 * 86_400)")
    }

    @Test("A ledger that fails is no fault of the wallet")
    func failingLedger() async throws {
        let phone = try Phone(try await GatewayFixture())
        await phone.fixture.service.ledger.close()
        #expect(try await phone.fixture.register(phone.device, as: "phone").status == 500)
    }

    @Test("Unregistering a webhook that is no URL changes nothing, and is answered as breez-lnurl does")
    func noWebhook() async throws {
        let phone = try await Phone.registered()
        let time = Int64(phone.fixture.service.clock.now.seconds) + 1
        let body = try phone.device.statement(webhook: "nonsense", time: time).serialized()
        let answer = try await phone.fixture.ask("/lnurlpay/\(phone.device.publicKey)", .delete, body: body)
        #expect(answer.status == 200)
        #expect(try await phone.fixture.ask("/lnurlp/phone").json()["tag"] == "payRequest")
    }
}

@Suite("What is logged and counted of questions to phones", .timeLimit(.minutes(5)))
struct GatewayObserverTests {
    private let log = RecordingLog(at: nil)

    private func id() throws -> RegistrationID {
        RegistrationID(try SecretKey(Array(repeating: 1, count: 32)).publicKey, at: try DomainName("example.com"))
    }

    @Test("An answer is counted and timed; what fails is one line, which names the domain and is not counted twice")
    func questions() async throws {
        let metrics = PrometheusMetrics()
        let observer = DeviceObserver(metrics: metrics, logger: log.logger)
        let id = try id()
        observer.note(.answered(after: .milliseconds(1_500)), of: id)
        observer.note(.left, of: nil)
        #expect(log.lines.isEmpty)
        for _ in 1...2 { observer.note(.silent, of: id) }
        #expect(log.lines.count == 1)
        let line = try #require(log.lines.first?.all)
        #expect(line.hasPrefix("device not answering "))
        #expect(line.contains("example.com") && line.contains("has not answered") && !line.contains("times"))
        let page = metrics.page()
        #expect(page.contains("responder_device_answer_seconds_sum 1.5"))
        for (outcome, count) in [("answered", 1), ("silent", 2)] {
            #expect(page.contains(#"responder_device_questions_total{outcome="\#(outcome)"} \#(count)"#))
        }
        #expect(page.contains("responder_device_payers_left_total 1"))
    }

    @Test("Replies that are lost between instances are one line for each cause")
    func lostReplies() throws {
        let note = AwaitedReplies.noteFaults(in: log.logger)
        for fault in [LedgerFault.busy, .busy, .readOnly] { note(fault) }
        #expect(log.lines.map(\.cause) == [LedgerFault.busy.reason, LedgerFault.readOnly.reason])
        let line = try #require(log.lines.first?.all)
        #expect(line.hasPrefix("replies that reach other instances are lost "))
        #expect(!line.contains("times"))
    }
}
