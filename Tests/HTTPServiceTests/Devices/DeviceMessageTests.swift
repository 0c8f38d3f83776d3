import Devices
import HTTPTypes
import LNURL
import LightningCoding
import LightningCrypto
import PushProviders
import ResponderModel
import SQLiteLedger
import Testing
@testable import HTTPService

@Suite("What registered devices are sent", .timeLimit(.minutes(1)))
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

    private func registration(
        _ name: String?, _ webhook: String, by key: SecretKey, version: UInt64
    ) throws -> Registration {
        Registration(
            id: RegistrationID(key.publicKey, at: try DomainName("pay.example")),
            name: try name.map { try AddressName($0) }, webhook: try WebhookURL(webhook),
            createdAt: UnixTime(0), refreshedAt: UnixTime(0), version: version)
    }

    private func titles(_ fixture: DeviceFixture) throws -> [String] {
        try fixture.apns.accepted.compactMap { try fixture.wake(in: $0).payload?["title"]?.string }
    }

    @Test("When an owner's name or webhook changes their devices are alerted, and otherwise nobody is")
    func security() async throws {
        let fixture = try await DeviceFixture()
        _ = try await fixture.phone()
        let wallet = fixture.wallet
        let former = try registration("alice", "https://a.example/n?token=1", by: wallet, version: 1)
        let moved = try registration("alice", "https://b.example/n?token=1", by: wallet, version: 2)
        let stranger = try SecretKey([UInt8](repeating: 0x44, count: 32))
        for (former, present) in [
            (nil, former), (former, try registration("alice", "https://a.example/n?token=1", by: wallet, version: 2)),
            // Push tokens change by themselves.
            (former, try registration("alice", "https://a.example/n?token=2", by: wallet, version: 2)),
            (
                try registration("bob", "https://a.example/", by: stranger, version: 1),
                try registration("bob", "https://b.example/", by: stranger, version: 2)
            ),
            (try registration("bob", "https://a.example/", by: stranger, version: 1), nil), (nil, nil),
        ] as [(Registration?, Registration?)] {
            await fixture.sender.noteChange(of: former, to: present)
        }
        await fixture.work()
        #expect(fixture.apns.accepted.isEmpty)
        for present in [moved, try registration("carol", "https://a.example/n", by: wallet, version: 3), nil] {
            await fixture.sender.noteChange(of: former, to: present)
        }
        // Told once, however often.
        await fixture.sender.noteChange(of: former, to: moved)
        fixture.service.clock.advance(seconds: 60)
        await fixture.work()
        let wakes = try fixture.apns.accepted.map { try fixture.wake(in: $0) }
        #expect(wakes.allSatisfy { $0.topic.text == "security" && $0.urgency == .timeSensitive })
        #expect(
            Set(wakes.compactMap { $0.payload?["body"]?.string?.prefix { $0 != "." } }) == [
                "Another device or service answers for alice@pay", "alice@pay", "alice@pay",
            ])
        #expect(
            Set(try titles(fixture)) == [
                "Your Lightning address is answered elsewhere", "Your Lightning address has changed",
                "Your Lightning address was removed",
            ])
        #expect(wakes.count == 3)
    }

    @Test("A webhook that leads to another device's handle has changed")
    func handles() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        let former = try registration(
            "alice", "https://pay.example/api/v1/notify?token=\(phone.handle)", by: fixture.wallet, version: 1)
        let other = phone.handle.replacing("wkh_", with: "wkh%5FA")
        await fixture.sender.noteChange(
            of: former,
            to: try registration(
                "alice", "https://pay.example/api/v1/notify?token=\(other)", by: fixture.wallet, version: 2))
        await fixture.work()
        #expect(try titles(fixture) == ["Your Lightning address is answered elsewhere"])
    }

    @Test("Of a removal an owner is told after a minute, unless the registration is there again as it was")
    func removal() async throws {
        let fixture = try await DeviceFixture()
        let (ledger, clock) = (fixture.service.ledger, fixture.service.clock)
        _ = try await fixture.phone()
        _ = try await ledger.putDomain(at: PublicURL("https://pay.example"), DomainSettings())
        var number: UInt64 = 0
        func order(_ change: RegistrationOrder.Change) async throws {
            number += 1
            let id = RegistrationID(fixture.wallet.publicKey, at: try DomainName("pay.example"))
            let former = try await ledger.registration(id)
            let claim = StatementClaim(.change, digest: SHA256.hash("\(number)".utf8), expiresAt: clock.now)
            let present = try await ledger.carryOut(
                RegistrationOrder(by: id, change, claiming: [claim]), under: RegistrationRules(), at: clock.now)
            await fixture.sender.noteChange(of: former, to: present)
            await fixture.work()
        }
        func register(_ webhook: String) async throws {
            try await order(.register(webhook: WebhookURL(webhook), name: AddressName("alice"), offer: nil))
        }
        func passed() async throws -> [String] {
            clock.advance(seconds: 60)
            await fixture.work()
            return try titles(fixture)
        }
        try await register("https://a.example/?token=1")
        try await order(.unregister(webhook: WebhookURL("https://a.example/?token=1")))
        try await register("https://a.example/?token=2")
        #expect(try await passed() == [])
        // Another webhook is told of at once, also when the former one is back before the minute is over.
        try await order(.unregister(webhook: WebhookURL("https://a.example/?token=2")))
        try await register("https://b.example/")
        #expect(try titles(fixture) == ["Your Lightning address is answered elsewhere"])
        try await order(.unregister(webhook: WebhookURL("https://b.example/")))
        try await register("https://a.example/?token=2")
        #expect(try await passed().count == 1)
        try await order(.unregister(webhook: WebhookURL("https://a.example/?token=2")))
        clock.advance(seconds: 59)
        await fixture.work()
        #expect(try titles(fixture).count == 1)
        #expect(try await passed().last == "Your Lightning address was removed")
        #expect(try titles(fixture).count == 2)
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
