import LedgerRecords
@testable import Devices
import HTTPTypes
import LedgerContract
import LightningCoding
import LightningCrypto
import OutboundHTTP
import Platform
import PushProviders
@testable import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing
import Waiting
@testable import HTTPService

@Suite("Events that are kept until they are sent", .timeLimit(.minutes(5)))
struct PushEventTests {
    private let routes: PushRouteTests

    init() async throws { routes = try await PushRouteTests() }

    private func kept() async throws -> [OutboxWork] {
        try await routes.service.ledger.outbox(OutboxQuery(kind: .push)).elements
    }

    private static func payment(_ data: String) -> String {
        #"{"template":"payment_received","data":{"payment_hash":"\#(data)"}}"#
    }

    private static func query(_ number: Int) -> String {
        let hexadecimal = String(number, radix: 16)
        return "platform=ios&token=" + String(repeating: "0", count: 64 - hexadecimal.utf8.count) + hexadecimal
    }

    @Test(
        "An event that its device cannot get is refused, and nothing is kept",
        arguments: [
            ("platform=ios&token=xyz", 400), ("platform=ios&token=abab", 400), ("platform=android&token=x", 503),
            ("platform=web&token=x", 503),
        ])
    func nobody(query: String, status: Int) async throws {
        #expect(try await routes.post(Self.payment("00"), query).status == status)
        #expect(try await kept().isEmpty)
    }

    @Test("An event that is too large for its provider gets 413, and one byte less is kept")
    func size() async throws {
        func post(_ count: Int) async throws -> Int {
            try await routes.post(Self.payment(String(repeating: "x", count: count))).status
        }
        let frame = PushContent(
            type: "payment_received", title: "Incoming payment", payload: ["payment_hash": ""]
        ).form.apnsBody.count
        #expect(try await post(PushLimits.apnsBody - frame + 1) == 413)
        #expect(try await kept().isEmpty)
        #expect(try await post(PushLimits.apnsBody - frame) == 200)
        #expect(try await kept().count == 1)
    }

    @Test("Of an event only what the device is sent is kept")
    func members() async throws {
        let body =
            #"{"template":"payment_received","data":{"payment_hash":"00","x":"\#(String(repeating: "y", count: 9000))"},"z":1}"#
        #expect(try await routes.post(body, "platform=ios&token=\(PushRouteTests.device)&app_data=a").status == 200)
        let payload = try #require(try await kept().first?.payload)
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"platform":"ios","token":"\#(PushRouteTests.device)","app_data":"a","body":"{\"template\":\"payment_received\",\"data\":{\"payment_hash\":\"00\"}}"}"#
        )
    }

    @Test(
        "Twenty events wait for one device at the most, however its token is written; others are counted apart")
    func ofDevice() async throws {
        for number in 0..<20 {
            let token = number % 2 == 0 ? PushRouteTests.device : PushRouteTests.device.uppercased()
            #expect(try await routes.post(PushRouteTests.swap, "platform=ios&token=\(token)").status == 200)
        }
        let answer = try await routes.post(PushRouteTests.swap)
        #expect(answer.status == 429)
        #expect(answer.headers[.retryAfter] == "60")
        #expect(try await routes.post(PushRouteTests.swap, Self.query(1)).status == 200)
        #expect(try await kept().count == 21)
    }

    @Test("So many events are kept in all, parked ones among them")
    func ofAll() async throws {
        var settings = routes.delivery.settings
        settings.maximumKept = 3
        let clock = ManualClock()
        let delivery = routes.delivery(settings, clock: clock.clock)
        func keep(_ number: Int) async throws -> PushAnswer {
            let token = String(Self.query(number).suffix(64))
            return await delivery.answer(
                try NotifyRequest(
                    query: [("platform", "ios"), ("token", token)], body: Array(PushRouteTests.swap.utf8)),
                from: ClientNetwork(nil))
        }
        for number in 0..<3 { #expect(try await keep(number) == .taken) }
        #expect(try await keep(3) == .failed("too many push messages wait to be sent"))
        let work = try await routes.service.ledger.claim(
            .push, limit: 3, for: "one", at: .now(), until: .now().adding(seconds: 60), under: nil
        ).work
        try await routes.service.ledger.park(try #require(work.first), at: .now(), because: "x")
        clock.advance(by: .seconds(5))
        #expect(try await keep(3) == .failed("too many push messages wait to be sent"))
        try await routes.service.ledger.remove(try #require(work.last).id)
        clock.advance(by: .seconds(5))
        #expect(try await keep(3) == .taken)
    }

    @Test("Parked work is removed when it has expired, and not before: events, and what is for registered devices")
    func forgotten() async throws {
        routes.apns.script(PushRouteTests.device, [HTTP2Answer(400, #"{"reason":"TopicDisallowed"}"#)])
        #expect(try await routes.post(PushRouteTests.swap).status == 200)
        await OutboxRunner(routes.delivery, of: routes.service.ledger, holder: "another").runOnce()
        #expect(try await kept().map(\.isParked) == [true])
        let lease = try await routes.service.ledger.held(.upkeep)
        func upkeep(at now: UnixTime) async throws {
            for task in UpkeepTask.standard(routes.service.ledger) { try await task.round(now, lease) }
        }
        let deadline = try #require(try await kept().first?.deadline)
        // An operator has to see a notification that cannot be read, and a payment that was not announced.
        let kinds: [(OutboxKind, UnixTime?)] = [
            (.deviceMessage, deadline), (.deviceWake, deadline), (.notification, deadline), (.settlementWebhook, nil),
        ]
        for (kind, deadline) in kinds {
            let work = OutboxWork(
                id: OutboxID(unchecked: kind.rawValue), kind: kind, account: nil, payload: [], createdAt: .now(),
                deadline: deadline, state: .parked(at: .now()))
            try await routes.service.ledger.add(work, heldBy: nil)
        }
        func parked() async throws -> [OutboxKind] {
            try await routes.service.ledger.outbox(OutboxQuery()).elements.map(\.kind)
        }
        try await upkeep(at: UnixTime(deadline.seconds - 1))
        #expect(try await parked().count == 5)
        try await upkeep(at: deadline)
        #expect(try await Set(parked()) == [.notification, .settlementWebhook])
    }

    @Test("An event that was kept is parked where no provider is configured any longer")
    func providersGone() async throws {
        #expect(try await routes.post(PushRouteTests.swap).status == 200)
        #expect(try await kept().count == 1)
        for handler in DevicesLeftOut().outboxHandlers {
            await OutboxRunner(handler, of: routes.service.ledger, holder: "another").runOnce()
        }
        #expect(try await kept().map(\.isParked) == [true])
    }

    /// A fixture with a push service, and what is posted for its subscriptions.
    private func web() async throws -> (DeviceFixture, WebPushStandIn, @Sendable (Int) async throws -> Int) {
        let key = try VAPIDKey(P256SecretKey([UInt8](repeating: 0x42, count: 32)), contact: "mailto:push@example.com")
        let service = try WebPushStandIn(
            subscriber: P256SecretKey([UInt8](repeating: 3, count: 32)), secret: [UInt8](repeating: 7, count: 16),
            senderKey: key.publicText)
        let fixture = try await DeviceFixture(webPush: try WebPushProvider(key, client: HTTPClient.Configuration()))
        let post: @Sendable (Int) async throws -> Int = { number in
            try await fixture.ask(
                .post, "/api/v1/notify?platform=web&token=\(service.token(number))",
                JSONValue(parsing: PushRouteTests.swap)
            ).status
        }
        return (fixture, service, post)
    }

    @Test(
        "What a push service that a sender has named refuses is not kept, however often",
        arguments: [400, 401, 403, 413])
    func refused(status: Int) async throws {
        let (fixture, service, post) = try await web()
        for number in 1...3 {
            service.script(status)
            #expect(try await post(number) == 200)
            await fixture.work()
        }
        #expect(try await fixture.service.ledger.outbox(OutboxQuery()).elements.isEmpty)
    }

    @Test(
        "A token of another project is not kept; what the operator must correct is, and counts among a device's twenty")
    func parked() async throws {
        let target = PushAddress.fcm(token: "x", .android)
        #expect(
            PushRecipient.token(target).end(.refused("SENDER_ID_MISMATCH"), at: .now())
                == .dropped("SENDER_ID_MISMATCH"))
        #expect(PushRecipient.token(target).end(.parked("project"), at: .now()) == .refused("project"))
        let delivery = routes.delivery
        let runner = OutboxRunner(delivery, of: routes.service.ledger, holder: "another")
        for _ in 0..<20 {
            routes.apns.script(PushRouteTests.device, [HTTP2Answer(400, #"{"reason":"BadTopic"}"#)])
            #expect(try await routes.post(PushRouteTests.swap).status == 200)
            await runner.runOnce()
        }
        #expect(try await kept().count { $0.isParked } == 20)
        #expect(try await routes.post(PushRouteTests.swap).status == 429)
    }

    @Test("Registered devices, other tokens and Web Push are counted apart")
    func shares() async throws {
        let (fixture, _, post) = try await web()
        var settings = fixture.delivery.settings
        settings.maximumKept = 1
        let phone = try await fixture.phone()
        let delivery = fixture.delivery(settings)
        func keep(_ platform: String, _ token: String) async throws -> PushAnswer {
            await delivery.answer(
                try NotifyRequest(
                    query: [("platform", platform), ("token", token)], body: Array(PushRouteTests.swap.utf8)),
                from: ClientNetwork(nil))
        }
        let full = PushAnswer.failed("too many push messages wait to be sent")
        #expect(try await post(1) == 200)
        #expect(try await keep("ios", String(repeating: "c", count: 64)) == .taken)
        #expect(try await keep("ios", String(repeating: "d", count: 64)) == full)
        #expect(try await keep("ios", phone.handle) == .taken)
        #expect(try await keep("ios", phone.handle) == full)
    }

    @Test(
        "Five hundred events are kept for one push service that senders have named, and others are counted apart"
    )
    func ofHost() async throws {
        let (fixture, _, post) = try await web()
        let host = PushRecipient.token(.webPush(try fixtureSubscription())).subject.above(2)
        #expect(host == OutboxSubject("web", "127.0.0.1") && host.above(1) == OutboxSubject("web"))
        #expect(try await post(0) == 200)
        for number in 1..<PushDelivery.mostOfHost {
            try await fixture.service.ledger.add(
                OutboxWork(
                    id: try #require(OutboxID("push-\(number)")), kind: .push, account: nil, payload: [],
                    createdAt: .now(), state: .pending(dueAt: .now()),
                    subject: OutboxSubject(text: host.text + "\(number)/")), heldBy: nil)
        }
        #expect(try await post(501) == 429)
        #expect(
            try await fixture.ask(
                .post, "/api/v1/notify?platform=ios&token=\(PushRouteTests.device)",
                JSONValue(parsing: PushRouteTests.swap)
            ).status == 200)
    }

    @Test(
        "A network keeps an eighth of all events for subscriptions at once, and as many an hour; refused ones do not count"
    )
    func ofNetwork() async throws {
        let (fixture, service, _) = try await web()
        var settings = fixture.delivery.settings
        settings.maximumKept = 32
        let clock = ManualClock()
        let delivery = fixture.delivery(settings, clock: clock.clock)
        func keep(_ platform: String, _ token: String, from network: String) async throws -> PushAnswer {
            let address: IPAddress = try #require(IPAddress(network))
            return await delivery.answer(
                try NotifyRequest(
                    query: [("platform", platform), ("token", token)], body: Array(PushRouteTests.swap.utf8)),
                from: ClientNetwork(address))
        }
        let (one, other) = ("192.0.2.1", "198.51.100.1")
        let busy = PushRecipient.token(.webPush(try PushSubscription(token: service.token(0)))).subject
        for number in 0..<PushDelivery.mostOfDevice {
            try await fixture.service.ledger.add(
                OutboxWork(
                    id: try #require(OutboxID("push-\(number)")), kind: .push, account: nil, payload: [],
                    createdAt: .now(), state: .pending(dueAt: .now()), subject: busy), heldBy: nil)
        }
        #expect(try await keep("web", service.token(0), from: one) == .tooMany)
        for number in 1...4 { #expect(try await keep("web", service.token(number), from: one) == .taken) }
        #expect(try await keep("web", service.token(5), from: one) == .tooMany)
        #expect(try await keep("web", service.token(5), from: other) == .taken)
        #expect(try await keep("ios", PushRouteTests.device, from: one) == .taken)
        clock.advance(by: .seconds(899))
        #expect(try await keep("web", service.token(6), from: one) == .tooMany)
        clock.advance(by: .seconds(1))
        #expect(try await keep("web", service.token(6), from: one) == .taken)
        #expect(try await keep("web", service.token(7), from: one) == .tooMany)
    }

    private func fixtureSubscription() throws -> PushSubscription {
        try PushSubscription(
            endpoint: HTTPURL("http://127.0.0.1:1/"), key: P256SecretKey([UInt8](repeating: 3, count: 32)).publicKey,
            secret: [UInt8](repeating: 7, count: 16))
    }

    @Test("An event that has found no slot is due again the later the longer it has waited")
    func pause() {
        #expect(WebPushSlots.pause(after: 0) == 15)
        #expect(WebPushSlots.pause(after: 61) == 15)
        #expect(WebPushSlots.pause(after: 3600) == 900)
    }

    @Test("Push services that hang leave slots to the others")
    func slots() {
        let slots = WebPushSlots()
        var held = (0..<3).map { host in
            (0...WebPushSlots.ofHost).compactMap { _ in slots.take("\(host)") }
        }
        #expect(held.map(\.count) == [16, 16, 16])
        #expect(slots.take("d") == nil)
        held[0].removeLast()
        #expect(slots.take("d") != nil)
    }

    @Test("Devices of one owner take a few slots, whatever their hosts are called")
    func owners() throws {
        let slots = WebPushSlots()
        let (owner, other) = (
            try SecretKey([UInt8](repeating: 1, count: 32)).publicKey,
            try SecretKey([UInt8](repeating: 2, count: 32)).publicKey
        )
        var held = (0...WebPushSlots.ofOwner).compactMap { slots.take("host\($0)", of: owner) }
        #expect(held.count == 8)
        #expect(slots.take("host", of: other) != nil)
        held.removeLast()
        #expect(slots.take("host", of: owner) != nil)
    }

    @Test("What was not sent during a pause has not failed, and nothing is due before a pause is over")
    func paused() {
        let now = UnixTime(1000)
        #expect(OutboxOutcome(.paused(seconds: 12, "x"), at: now) == .continued(at: UnixTime(1013)))
        #expect(OutboxOutcome(.later(seconds: 12, "x"), at: now) == .postponed(seconds: 13, "x"))
    }

    @Test("Messages and wakes for a push service that hangs wait for a slot, and those for others do not")
    func deviceSlots() async throws {
        let key = try VAPIDKey(P256SecretKey([UInt8](repeating: 0x42, count: 32)), contact: "mailto:push@example.com")
        let fixture = try await DeviceFixture(
            webPush: try WebPushProvider(key, client: HTTPClient.Configuration()))
        let auth = Base64URL.encode([UInt8](repeating: 8, count: 16))
        let point = Base64URL.encode(try P256SecretKey([UInt8](repeating: 3, count: 32)).publicKey.point)
        let now = fixture.service.clock.now
        let address = try #require(
            PushAddress(
                platform: "webpush", environment: "production", token: "https://hanging.invalid/x \(point) \(auth)"))
        let browser = try await fixture.service.ledger.putDevice(
            DeviceProfile(
                owner: fixture.wallet.publicKey, install: #require(InstallID("browser")),
                secretHash: SHA256.hash("browser".utf8), encryptionKey: fixture.appKey.publicKey),
            reachedAt: address, signedAt: now, as: DeviceID(random: SystemRandom.bytes), at: now)
        let phone = try await fixture.phone()
        let held = [fixture.sender.messageSlots, fixture.sender.wakeSlots].flatMap { slots in
            (0..<WebPushSlots.ofHost).compactMap { _ in slots.take("hanging.invalid") }
        }
        defer { withExtendedLifetime(held) {} }
        let handle = try fixture.center.handles.handle(of: browser.id)
        _ = try await fixture.sender.order(Array(#"{"topic":"x"}"#.utf8), for: handle)
        try await fixture.center.tell(fixture.message(1))
        await fixture.work()
        #expect(fixture.apns.accepted.map(\.token) == [phone.token])
        let waiting = try await fixture.service.ledger.outbox(OutboxQuery()).elements
        #expect(
            Set(waiting.map(\.state)) == [
                .pending(dueAt: now.adding(seconds: 15)), .pending(dueAt: now.adding(seconds: 2)),
            ])
    }
}
