import LedgerRecords
import Platform
@testable import Devices
import HTTPTypes
import LightningCoding
import LightningCrypto
import OutboundHTTP
import PushProviders
import ResponderModel
import SQLiteLedger
import Testing
import Waiting

@Suite("Catching up over HTTP", .timeLimit(.minutes(5)))
struct DeviceCatchUpTests {
    @Test("A phone that was off reports the alert that it got, is woken once, and fetches the rest")
    func catchesUp() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        for number in 1...3 as ClosedRange<UInt64> { try await fixture.center.tell(fixture.message(number)) }
        await fixture.work()
        #expect(fixture.apns.accepted.count == 3)
        // APNs has kept the newest alone.
        #expect(try await fixture.ask(.post, "/v1/deliveries", ["ids": ["m3"]], by: phone.secret).status == 200)
        try await fixture.sender.wakeForCatchUp()
        #expect(fixture.apns.accepted.count == 3)
        fixture.service.clock.advance(seconds: 30)
        for _ in 1...2 { try await fixture.sender.wakeForCatchUp() }
        #expect(fixture.apns.accepted.count == 4)
        let push = try #require(fixture.apns.accepted.last)
        #expect(push.headers["apns-push-type"] == "background" && push.headers["apns-priority"] == "5")
        #expect(try fixture.wake(in: push).topic.text == "catch_up")
        let fetched = try await fixture.ask(.get, "/v1/pending?after=0", by: phone.secret).json()
        #expect(fetched["data"]?.array?.compactMap { $0["seq"]?.uint64 } == [1, 2])
        let rest = try await fixture.ask(.get, "/v1/pending?after=2", by: phone.secret).json()
        #expect(rest["data"] == [])
        fixture.service.clock.advance(seconds: 7_200)
        try await fixture.sender.wakeForCatchUp()
        #expect(fixture.apns.accepted.count == 4)
        #expect(try await fixture.ask(.get, "/v1/pending?after=x", by: phone.secret).status == 400)
    }

    @Test("A device that is removed and registered again with its token is not woken sooner for that")
    func removed() async throws {
        let fixture = try await DeviceFixture()
        func report(_ numbers: ClosedRange<UInt64>, by phone: DeviceFixture.Phone) async throws {
            for number in numbers { try await fixture.center.tell(fixture.message(number)) }
            await fixture.work()
            let ids: JSONValue = ["ids": [.string("m\(numbers.upperBound)")]]
            #expect(try await fixture.ask(.post, "/v1/deliveries", ids, by: phone.secret).status == 200)
        }
        func wakes(after seconds: UInt64) async throws -> Int {
            fixture.service.clock.advance(seconds: seconds)
            try await fixture.sender.wakeForCatchUp()
            return fixture.apns.accepted.filter { $0.headers["apns-push-type"] == "background" }.count
        }
        let phone = try await fixture.phone()
        try await report(1...2, by: phone)
        #expect(try await wakes(after: 30) == 1)
        #expect(try await fixture.ask(.delete, "/v1/devices/phone", by: phone.secret).status == 204)
        try await report(3...4, by: fixture.phone())
        #expect(try await wakes(after: 1799) == 1)
        #expect(try await wakes(after: 1) == 2)
    }

    @Test("A message of low priority is not pushed beside an alert; a device that has reported that one fetches it")
    func low() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        try await fixture.center.tell(fixture.message(1))
        await fixture.work()
        try await fixture.center.tell(fixture.message(2, .paymentReceived, .low))
        fixture.service.clock.advance(seconds: 3600)
        await fixture.work()
        #expect(fixture.apns.accepted.count == 1)
        #expect(try await fixture.ask(.post, "/v1/deliveries", ["ids": ["m1"]], by: phone.secret).status == 200)
        fixture.service.clock.advance(seconds: 30)
        try await fixture.sender.wakeForCatchUp()
        #expect(fixture.apns.accepted.count == 2)
    }

    @Test("Google keeps every message: a silent one follows an alert that was not reported")
    func androidReportsNothing() async throws {
        let service = try await TestService()
        let clock: WallClock = { [time = service.clock] in time.now }
        let key = try RSASecretKey(pem: Array(PublishedKeys.rsa.utf8))
        let fcm = try await FCMStandIn(key: key, project: "wallet-1", clock: clock)
        var client = HTTPClient.Configuration()
        client.http2 = .priorKnowledge
        let account = ServiceAccount(
            project: "wallet-1", email: "a@example.com", keyID: "f00d", tokenURL: try fcm.tokenURL, key)
        let provider = try FCMProvider(
            account: account, server: fcm.url, client: client, wallClock: clock)
        let fixture = try await DeviceFixture(on: service, fcm: provider)
        let phone = try await fixture.phone(of: "fcm")
        try await fixture.center.tell(fixture.message(1))
        await fixture.work()
        let silent: JSONValue = ["types": ["payment_received": "silent"]]
        #expect(try await fixture.ask(.put, "/v1/preferences", silent, by: phone.secret).status == 200)
        try await fixture.center.tell(fixture.message(2))
        await fixture.work()
        #expect(fcm.messages.count == 2)
        #expect(try await service.ledger.device(phone.id)?.catchUp == CatchUpState())
    }

    @Test("A provider that hangs holds up no other device, and only what is being sent is noted as woken")
    func hanging() async throws {
        let sandbox = try await DeviceFixture.apns()
        let fixture = try await DeviceFixture(sandbox: sandbox)
        var builds: [DeviceFixture.Phone] = []
        for digit in "01" { builds.append(try await fixture.phone("build\(digit)", digit, in: "sandbox")) }
        let phone = try await fixture.phone()
        for number in 1...2 as ClosedRange<UInt64> { try await fixture.center.tell(fixture.message(number)) }
        for build in builds + [phone] {
            _ = try await fixture.ask(.post, "/v1/deliveries", ["ids": ["m2"]], by: build.secret)
        }
        fixture.service.clock.advance(seconds: 30)
        for build in builds { sandbox.script(build.token, [HTTP2Answer(200, after: .stall)]) }
        let ledger = fixture.service.ledger
        let begun = MonotonicTime.now
        let waking = Task { try await fixture.sender.wakeForCatchUp() }
        try await eventually { try await ledger.device(phone.id)?.catchUp.unanswered == 1 }
        // A provider that hangs is given eight seconds.
        #expect(MonotonicTime.now - begun < .seconds(8))
        waking.cancel()
        try? await waking.value
        #expect(fixture.apns.accepted.map(\.token) == [phone.token])
        #expect(try await ledger.device(builds[0].id)?.catchUp.unanswered == 0)
    }

    @Test("Devices for which there is no slot let others that are due go first")
    func noSlot() async throws {
        let key = try VAPIDKey(P256SecretKey([UInt8](repeating: 0x42, count: 32)), contact: "mailto:push@example.com")
        let fixture = try await DeviceFixture(webPush: try WebPushProvider(key, client: HTTPClient.Configuration()))
        let ledger = fixture.service.ledger
        let auth = Base64URL.encode([UInt8](repeating: 8, count: 16))
        let point = Base64URL.encode(try P256SecretKey([UInt8](repeating: 3, count: 32)).publicKey.point)
        let (now, due) = (fixture.service.clock.now, fixture.service.clock.now.adding(seconds: 30))
        for number in 1...100 as ClosedRange<UInt8> {
            let owner = try SecretKey([UInt8](repeating: number, count: 32)).publicKey
            let device = try await ledger.putDevice(
                DeviceProfile(
                    owner: owner, install: #require(InstallID("browser")), secretHash: SHA256.hash([number]),
                    encryptionKey: fixture.appKey.publicKey),
                reachedAt: #require(
                    PushAddress(
                        platform: "webpush", environment: "production",
                        token: "https://hanging.invalid/\(number) \(point) \(auth)")),
                signedAt: now, as: DeviceID(random: SystemRandom.bytes), at: now)
            _ = try await ledger.add(
                DeviceMessage.Content(
                    id: #require(MessageID("m")), owner: owner, type: .paymentReceived, priority: .low, title: "t",
                    body: "b", createdAt: now, expiresAt: now.adding(seconds: 86_400)), as: .fetched)
            #expect(try await ledger.keep(CatchUpState(wakeDue: due), of: device.id, replacing: device.catchUp))
        }
        let phone = try await fixture.phone()
        for number in 1...2 as ClosedRange<UInt64> { try await fixture.center.tell(fixture.message(number)) }
        fixture.service.clock.advance(seconds: 1)
        _ = try await fixture.ask(.post, "/v1/deliveries", ["ids": ["m2"]], by: phone.secret)
        let held = (0..<WebPushSlots.ofHost).compactMap { _ in fixture.sender.catchUpSlots.take("hanging.invalid") }
        defer { withExtendedLifetime(held) {} }
        fixture.service.clock.advance(seconds: 30)
        try await fixture.sender.wakeForCatchUp()
        #expect(fixture.apns.accepted.isEmpty)
        try await fixture.sender.wakeForCatchUp()
        #expect(fixture.apns.accepted.map(\.token) == [phone.token])
    }

    @Test("A device that has lost its address is told so, keeps what is pending, and is told when it has one again")
    func live() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        try await fixture.center.tell(fixture.message(1))
        func answers() async throws -> [JSONValue] {
            [
                try await fixture.ask(.get, "/v1/pending", by: phone.secret).json(),
                try await fixture.ask(.get, "/v1/notifications/unread", by: phone.secret).json(),
                try await fixture.ask(.post, "/v1/deliveries", ["ids": []], by: phone.secret).json(),
            ]
        }
        #expect(try await answers().map { $0["live"] } == [true, true, true])
        let thief = try SecretKey([UInt8](repeating: 0x44, count: 32))
        _ = try await fixture.phone("phone", "a", by: thief)
        let lost = try await answers()
        #expect(lost.map { $0["live"] } == [false, false, false])
        #expect(lost[0]["data"]?.array?.compactMap { $0["id"]?.string } == ["m1"])
        let body = try fixture.registration("phone", secret: phone.secret, token: phone.token)
        #expect(try await fixture.ask(.put, "/v1/devices/phone", body).status == 200)
        #expect(try await answers().map { $0["live"] } == [true, true, true])
    }

    @Test("What replaces a stored alert at the provider makes the device catch up once it has expired itself")
    func replaced() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        try await fixture.center.tell(fixture.message(1))
        await fixture.work()
        let order: JSONValue = ["topic": "t", "deadline": .unsigned(fixture.service.clock.now.seconds + 60)]
        #expect(try await fixture.ask(.post, "/v1/wakes?token=\(phone.handle)", order).status == 200)
        await fixture.work()
        #expect(fixture.apns.accepted.count == 2)
        fixture.service.clock.advance(seconds: 59)
        try await fixture.sender.wakeForCatchUp()
        #expect(fixture.apns.accepted.count == 2)
        fixture.service.clock.advance(seconds: 1)
        try await fixture.sender.wakeForCatchUp()
        #expect(try fixture.wake(in: #require(fixture.apns.accepted.last)).topic.text == "catch_up")
    }
}
