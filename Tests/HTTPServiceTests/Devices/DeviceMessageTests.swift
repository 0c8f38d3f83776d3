import LedgerRecords
@testable import Devices
import HTTPTypes
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import PushProviders
import ResponderModel
import SQLiteLedger
import Testing
@testable import HTTPService

@Suite("What registered devices are sent", .timeLimit(.minutes(5)))
struct DeviceMessageTests {
    @Test("A message is with every device of its owner, encrypted, once, whoever carries the outbox out")
    func told() async throws {
        let fixture = try await DeviceFixture()
        let (phone, tablet) = (try await fixture.phone(), try await fixture.phone("tablet", "b"))
        let other = try await fixture.phone("phone", "c", by: SecretKey([UInt8](repeating: 0x44, count: 32)))
        try await fixture.center.tell(fixture.message(21))
        #expect(fixture.apns.accepted.isEmpty)
        for _ in 1...2 { await fixture.work() }
        #expect(Set(fixture.apns.accepted.map(\.token)) == [phone.token, tablet.token])
        #expect(fixture.apns.accepted.count == 2)
        #expect(!fixture.apns.accepted.contains { $0.token == other.token })
        let push = try #require(fixture.apns.accepted.first)
        #expect(push.headers["apns-push-type"] == "alert" && push.headers["apns-priority"] == "10")
        #expect(push.body["aps"]?["alert"]?["title"] == "Payment received")
        #expect(!push.body.serialized().contains("21 sat"))
        let wake = try fixture.wake(in: push)
        #expect(wake.id.text == "m21" && wake.topic.text == "payment_received" && wake.urgency == .alert)
        #expect(wake.payload?["title"] == "You received 21 sat")
        #expect(wake.payload?["unread"] == 1)
    }

    @Test("What fails at the provider is sent again later, to the device that it failed for only")
    func retried() async throws {
        let fixture = try await DeviceFixture()
        let (phone, tablet) = (try await fixture.phone(), try await fixture.phone("tablet", "b"))
        fixture.apns.script(phone.token, [HTTP2Answer(429, #"{"reason":"TooManyRequests"}"#)])
        try await fixture.center.tell(fixture.message(1))
        await fixture.work()
        #expect(fixture.apns.accepted.map(\.token) == [tablet.token])
        fixture.service.clock.advance(seconds: 120)
        await fixture.work()
        #expect(fixture.apns.accepted.map(\.token) == [tablet.token, phone.token])
        let ids = Set(fixture.apns.accepted.map { $0.headers["apns-collapse-id"] })
        #expect(ids.count == 1 && ids.first??.utf8.count == 64)
    }

    @Test("A message that the device has shown, or that the owner has deleted, is not sent any more")
    func shown() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        try await fixture.center.tell(fixture.message(1))
        try await fixture.center.tell(fixture.message(2))
        let report = try await fixture.ask(.post, "/v1/deliveries", ["ids": ["m1"]], by: phone.secret)
        #expect(report.status == 200)
        #expect(try await fixture.ask(.delete, "/v1/notifications/m2", by: phone.secret).status == 204)
        await fixture.work()
        #expect(fixture.apns.accepted.isEmpty)
        #expect(try await fixture.service.ledger.outbox(OutboxQuery()).elements.isEmpty)
    }

    @Test("What is silent by preference only wakes the app; what is off only the center has")
    func ways() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        let types: JSONValue = ["types": ["payment_received": "silent", "news": "off"]]
        #expect(try await fixture.ask(.put, "/v1/preferences", types, by: phone.secret).status == 200)
        try await fixture.center.tell(fixture.message(1))
        try await fixture.center.tell(fixture.message(2, #require(MessageType("news")), .high))
        try await fixture.center.tell(fixture.message(3, .security, .high))
        await fixture.work()
        let kinds = fixture.apns.accepted.map {
            "\($0.headers["apns-push-type"] ?? "") \($0.headers["apns-priority"] ?? "")"
        }
        #expect(kinds.sorted() == ["alert 10", "background 5"])
        let alert = try #require(fixture.apns.accepted.first { $0.headers["apns-push-type"] == "alert" })
        #expect(try fixture.wake(in: alert).id.text == "m3")
        #expect(alert.body["aps"]?["interruption-level"] == "time-sensitive")
        for push in fixture.apns.accepted where push.headers["apns-push-type"] == "background" {
            #expect(push.body["aps"] == ["content-available": 1])
        }
        #expect(try await fixture.ask(.get, "/v1/notifications/unread", by: phone.secret).json()["unread"] == 3)
        let fetched = try await fixture.ask(.get, "/v1/pending", by: phone.secret).json()
        #expect(fetched["data"]?.array?.compactMap { $0["id"]?.string } == ["m1", "m3"])
    }

    @Test("What the owner has read meanwhile is not sent any more")
    func read() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        for number in 1...2 as ClosedRange<UInt64> { try await fixture.center.tell(fixture.message(number)) }
        let read: JSONValue = ["ids": ["m1"], "read": true]
        #expect(try await fixture.ask(.patch, "/v1/notifications", read, by: phone.secret).status == 200)
        await fixture.work()
        #expect(try fixture.apns.accepted.map { try fixture.wake(in: $0).id.text } == ["m2"])
    }

    @Test(
        "What is of low priority is not pushed; the next push message says that there is more, and the app fetches both"
    )
    func low() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        try await fixture.center.tell(fixture.message(1, #require(MessageType("news")), .low))
        fixture.service.clock.advance(seconds: 7200)
        await fixture.work()
        #expect(fixture.apns.accepted.isEmpty)
        #expect(try await fixture.service.ledger.outbox(OutboxQuery()).elements.isEmpty)
        #expect(try await fixture.ask(.get, "/v1/notifications/unread", by: phone.secret).json()["unread"] == 1)
        try await fixture.center.tell(fixture.message(2))
        await fixture.work()
        let wake = try fixture.wake(in: #require(fixture.apns.accepted.first))
        #expect(wake.id.text == "m2" && wake.payload?["more"] == true)
        let fetched = try await fixture.ask(.get, "/v1/pending", by: phone.secret).json()
        #expect(fetched["data"]?.array?.compactMap { $0["id"]?.string } == ["m1", "m2"])
        #expect(try await fixture.ask(.get, "/v1/pending?after=2", by: phone.secret).status == 200)
        try await fixture.center.tell(fixture.message(3))
        await fixture.work()
        #expect(try fixture.wake(in: #require(fixture.apns.accepted.last)).payload?["more"] == nil)
    }

    @Test("A silent message is pushed at once, also when APNs may store an alert that nobody has reported")
    func silentBesideAlert() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        try await fixture.center.tell(fixture.message(1))
        await fixture.work()
        let silent: JSONValue = ["types": ["payment_received": "silent"]]
        #expect(try await fixture.ask(.put, "/v1/preferences", silent, by: phone.secret).status == 200)
        try await fixture.center.tell(fixture.message(2))
        await fixture.work()
        #expect(fixture.apns.accepted.map { $0.headers["apns-push-type"] } == ["alert", "background"])
        let wake = try fixture.wake(in: #require(fixture.apns.accepted.last))
        #expect(wake.id.text == "m2" && wake.payload?["more"] == true)
        let fetched = try await fixture.ask(.get, "/v1/pending", by: phone.secret).json()
        #expect(fetched["data"]?.array?.compactMap { $0["id"]?.string } == ["m1", "m2"])
    }

    @Test("An address that has gone is dropped, but not one that was registered again since")
    func gone() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        let before = (fixture.service.clock.now.seconds - 60) * 1000
        fixture.apns.script(phone.token, [HTTP2Answer(410, #"{"reason":"Unregistered","timestamp":\#(before)}"#)])
        try await fixture.center.tell(fixture.message(1))
        await fixture.work()
        #expect(try await fixture.service.ledger.device(phone.id)?.address != nil)
        fixture.service.clock.advance(seconds: 60)
        let after = fixture.service.clock.now.seconds * 1000
        fixture.apns.script(phone.token, [HTTP2Answer(410, #"{"reason":"Unregistered","timestamp":\#(after)}"#)])
        try await fixture.center.tell(fixture.message(2))
        await fixture.work()
        #expect(try await fixture.service.ledger.device(phone.id)?.address == nil)
        #expect(fixture.service.metrics.page().contains("responder_device_addresses_dropped_total 1"))
        try await fixture.center.tell(fixture.message(3))
        await fixture.work()
        #expect(fixture.apns.accepted.isEmpty)
    }

    @Test("A payment to an account tells its owner's devices what has come, and that of another account nobody")
    func payment() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        var settings = AccountSettings(description: "Pay Bob", backend: .embedded)
        settings.owner = fixture.wallet.publicKey
        try await fixture.service.put("bob", settings)
        for name in ["alice", "bob"] {
            let answer = try await fixture.service.ask("/lnurlpay/\(name)/invoice?amount=21000").json()
            let hash = try #require(answer["verify"]?.string?.split(separator: "/").last)
            try await fixture.service.settle(PaymentHash(hexadecimal: hash.prefix(64)))
        }
        await fixture.work()
        #expect(fixture.apns.accepted.map(\.token) == [phone.token])
        let page = try await fixture.ask(.get, "/v1/notifications", by: phone.secret).json()
        #expect(page["data"]?.array?.count == 1)
        #expect(page["data"]?.array?.first?["title"] == "You received 21 sat")
        #expect(page["data"]?.array?.first?["link"]?["type"] == "payment")
    }

    /// Carries out orders of wallets at a domain.
    private func orders(
        _ fixture: DeviceFixture
    ) async throws -> @Sendable (_ key: SecretKey, RegistrationOrder.Change) async throws -> Void {
        let (ledger, clock) = (fixture.service.ledger, fixture.service.clock)
        let domain = try await ledger.putDomain(at: PublicURL("https://pay.example"), DomainSettings()).name
        let number = Guarded<UInt8>(0)
        return { key, change in
            let digest = number.withLock { number in
                number += 1
                return SHA256.hash([number])
            }
            _ = try await ledger.carryOut(
                RegistrationOrder(
                    by: RegistrationID(key.publicKey, at: domain), change,
                    claiming: [StatementClaim(.change, digest: digest, expiresAt: clock.now)]),
                under: RegistrationRules(), at: clock.now)
        }
    }

    private func register(_ name: String, _ webhook: String) throws -> RegistrationOrder.Change {
        .register(webhook: try WebhookURL(webhook), name: try AddressName(name), offer: nil)
    }

    private func titles(_ fixture: DeviceFixture) throws -> [String] {
        try fixture.apns.accepted.compactMap { try fixture.wake(in: $0).payload?["title"]?.string }
    }

    @Test("When an owner's name, webhook or push token changes their devices are alerted, and otherwise nobody is")
    func security() async throws {
        let fixture = try await DeviceFixture()
        _ = try await fixture.phone()
        let order = try await orders(fixture)
        let stranger = try SecretKey([UInt8](repeating: 0x44, count: 32))
        for webhook in ["https://a.example/", "https://b.example/"] {
            try await order(stranger, register("bob", webhook))
            try await order(fixture.wallet, register("alice", "https://a.example/n?token=1"))
        }
        try await order(stranger, .unregister(webhook: WebhookURL("https://b.example/")))
        fixture.service.clock.advance(seconds: 60)
        await fixture.work()
        #expect(fixture.apns.accepted.isEmpty)
        for (name, webhook) in [("alice", "https://b.example/n?token=1"), ("carol", "https://b.example/n?token=1")] {
            try await order(fixture.wallet, register(name, webhook))
        }
        // Whoever has the other token gets the questions now.
        try await order(fixture.wallet, register("carol", "https://b.example/n?token=2"))
        try await order(fixture.wallet, .unregister(webhook: WebhookURL("https://b.example/n?token=2")))
        await fixture.work()
        fixture.service.clock.advance(seconds: 60)
        for _ in 1...2 { await fixture.work() }
        let wakes = try fixture.apns.accepted.map { try fixture.wake(in: $0) }
        #expect(wakes.allSatisfy { $0.topic.text == "security" && $0.urgency == .timeSensitive })
        let texts = wakes.compactMap { $0.payload?["body"]?.string?.split(separator: " If").first }
        #expect(
            texts.sorted() == [
                "Another device, service or push token answers for alice@pay.example now.",
                "Another device, service or push token answers for carol@pay.example now.",
                "alice@pay.example is now carol@pay.example.", "carol@pay.example can no longer be paid.",
            ])
        #expect(
            Set(try titles(fixture)) == [
                "Your Lightning address now points elsewhere", "Your Lightning address has changed",
                "Your Lightning address was removed",
            ])
    }

    @Test("Of a removal an owner is told after a minute, unless the registration is there again as it was")
    func removal() async throws {
        let fixture = try await DeviceFixture()
        let clock = fixture.service.clock
        _ = try await fixture.phone()
        let order = try await orders(fixture)
        func register(_ webhook: String) async throws {
            try await order(fixture.wallet, self.register("alice", webhook))
            await fixture.work()
        }
        func unregister(_ webhook: String) async throws {
            try await order(fixture.wallet, .unregister(webhook: WebhookURL(webhook)))
            await fixture.work()
        }
        func passed(_ seconds: UInt64) async throws -> [String] {
            clock.advance(seconds: seconds)
            await fixture.work()
            return try titles(fixture)
        }
        let elsewhere = "Your Lightning address now points elsewhere"
        try await register("https://a.example/?token=1")
        try await unregister("https://a.example/?token=1")
        try await register("https://a.example/?token=1")
        #expect(try await passed(60) == [])
        // Of another webhook at once, and again when the former one is back, before the minute is over.
        try await unregister("https://a.example/?token=1")
        try await register("https://b.example/")
        #expect(try titles(fixture) == [elsewhere])
        try await unregister("https://b.example/")
        try await register("https://a.example/?token=1")
        #expect(try await passed(60) == [elsewhere, elsewhere])
        try await unregister("https://a.example/?token=1")
        #expect(try await passed(59).count == 2)
        #expect(try await passed(1) == [elsewhere, elsewhere, "Your Lightning address was removed"])
    }

    @Test("An owner is told of a device that is added beside others, and of no other")
    func added() async throws {
        let fixture = try await DeviceFixture()
        _ = try await fixture.phone("phone", "a", isTold: true)
        // A token that changes, and an app that was installed anew.
        for (install, digit) in [("phone", "b"), ("phone2", "b"), ("phone2", "c")] as [(String, Character)] {
            _ = try await fixture.phone(install, digit, isTold: true)
        }
        await fixture.work()
        #expect(fixture.apns.accepted.isEmpty)
        let tablet = try await fixture.phone("tablet", "d", isTold: true)
        for _ in 1...2 { await fixture.work() }
        #expect(Set(try titles(fixture)) == ["A device was added"])
        #expect(Set(fixture.apns.accepted.map(\.token)) == [DeviceFixture.token("c"), tablet.token])
        #expect(fixture.apns.accepted.count == 2)
    }
}
