import Contracts
import Devices
import HTTPTypes
import LightningCoding
import LightningCrypto
import Notifications
import OutboundHTTP
import Push
import PushProviders
import SQLiteLedger
import Testing

@testable import HTTPService

@Suite("Messages of low priority, once an hour", .timeLimit(.minutes(1)))
struct DeviceBatchTests {
    private let fixture: DeviceFixture
    private let phone: DeviceFixture.Phone

    init() async throws {
        fixture = try await DeviceFixture()
        phone = try await fixture.phone()
    }

    private func tell(_ numbers: ClosedRange<UInt64>, _ type: MessageType = .paymentReceived) async throws {
        for number in numbers { try await fixture.centre.tell(fixture.message(number, type, .low)) }
    }

    /// The time goes on until so many seconds before the owner's hour is over.
    private func hourEnds(before seconds: UInt64 = 0) {
        let now = fixture.service.clock.now
        let end = MessageHour(at: now, of: fixture.wallet.publicKey).end
        fixture.service.clock.advance(seconds: end.seconds(since: now) - seconds)
    }

    /// What the phone was sent: the message that is told, and how many there are.
    private var sent: [String] {
        get throws {
            try fixture.apns.accepted.map { push in
                #expect(push.headers["apns-push-type"] == "background" && push.headers["apns-priority"] == "5")
                let wake = try fixture.wake(in: push)
                return "\(wake.id.text) \(wake.payload?["count"]?.uint64 ?? 1)"
            }
        }
    }

    @Test("When the hour is over a device is told of the newest, and how many there are; of a single one like of any")
    func together() async throws {
        try await tell(1...3)
        await fixture.work()
        hourEnds(before: 1)
        await fixture.work()
        #expect(try sent == [])
        hourEnds()
        for _ in 1...2 { await fixture.work() }
        #expect(try sent == ["m3 3"])
        #expect(try await fixture.ask(.get, "/v1/pending?after=3", by: phone.secret).status == 200)
        try await tell(4...4)
        fixture.service.clock.advance(seconds: 3599)
        await fixture.work()
        #expect(try sent == ["m3 3"])
        fixture.service.clock.advance(seconds: 1)
        await fixture.work()
        #expect(try sent == ["m3 3", "m4 1"])
        #expect(try await fixture.service.ledger.outbox(OutboxQuery()).elements.isEmpty)
    }

    @Test("Another process goes on with what was collected, and each device of the owner is told")
    func restarted() async throws {
        let tablet = try await fixture.phone("tablet", "b")
        try await tell(1...2)
        await fixture.work()
        hourEnds()
        let next = try await DeviceFixture(on: fixture.service, apns: fixture.apns)
        await next.work()
        #expect(try sent == ["m2 2", "m2 2"])
        #expect(Set(fixture.apns.accepted.map(\.token)) == [phone.token, tablet.token])
    }

    @Test("What the owner has read meanwhile is neither told nor counted; when all was read nothing is told")
    func read() async throws {
        func read(_ ids: String...) async throws {
            let body: JSONValue = ["ids": .array(ids.map { .string($0) }), "read": true]
            #expect(try await fixture.ask(.patch, "/v1/notifications", body, by: phone.secret).status == 200)
        }
        try await tell(1...3)
        try await read("m3")
        hourEnds()
        await fixture.work()
        #expect(try sent == ["m2 2"])
        try await tell(4...5)
        try await read("m1", "m2", "m4", "m5")
        hourEnds()
        await fixture.work()
        #expect(try sent == ["m2 2"])
    }

    @Test("What a provider did not take goes with the messages of the hours since, not besides")
    func postponed() async throws {
        try await tell(1...1)
        fixture.apns.script(phone.token, [HTTP2Answer(429, #"{"reason":"TooManyRequests"}"#)])
        hourEnds()
        await fixture.work()
        try await tell(2...2)
        #expect(try sent == [])
        hourEnds()
        for _ in 1...3 { await fixture.work() }
        #expect(try sent == ["m2 2"])
    }

    @Test("A later attempt in the next hour does not take the messages of that hour with it")
    func retried() async throws {
        try await tell(1...1)
        fixture.apns.script(phone.token, [HTTP2Answer(429, #"{"reason":"TooManyRequests"}"#)])
        hourEnds()
        await fixture.work()
        try await tell(2...2)
        fixture.service.clock.advance(seconds: 120)
        await fixture.work()
        #expect(try sent == ["m1 1"])
        hourEnds()
        await fixture.work()
        #expect(try sent == ["m1 1", "m2 2"])
    }

    @Test("A type that was switched off meanwhile is neither told nor counted")
    func switchedOff() async throws {
        try await tell(1...2)
        try await tell(3...3, #require(MessageType("news")))
        let body: JSONValue = ["types": ["news": "off"]]
        #expect(try await fixture.ask(.put, "/v1/preferences", body, by: phone.secret).status == 200)
        hourEnds()
        await fixture.work()
        #expect(try sent == ["m2 2"])
    }

    @Test("Messages of other priorities go at once, and are not counted")
    func others() async throws {
        try await tell(1...1)
        let body: JSONValue = ["types": ["payment_received": "silent"]]
        #expect(try await fixture.ask(.put, "/v1/preferences", body, by: phone.secret).status == 200)
        try await fixture.centre.tell(fixture.message(2))
        await fixture.work()
        #expect(try sent == ["m2 1"])
        hourEnds()
        await fixture.work()
        #expect(try sent == ["m2 1", "m1 1"])
    }

    @Test("A message that was told is not told again with a newer one that the owner has read")
    func toldBefore() async throws {
        try await tell(1...1)
        hourEnds()
        await fixture.work()
        try await tell(2...2)
        let read: JSONValue = ["ids": ["m2"], "read": true]
        #expect(try await fixture.ask(.patch, "/v1/notifications", read, by: phone.secret).status == 200)
        hourEnds()
        await fixture.work()
        #expect(try sent == ["m1 1"])
    }

    @Test(
        "When the newest ends untold, those that waited for it are told",
        arguments: ["deleted", "read", "off", "expired"])
    func withoutNewest(end: String) async throws {
        let now = fixture.service.clock.now
        let hour = MessageHour(at: now, of: fixture.wallet.publicKey)
        try await tell(1...2)
        try await fixture.centre.tell(
            DeviceMessage.Content(
                id: #require(MessageID("m3")), owner: fixture.wallet.publicKey, type: #require(MessageType("news")),
                priority: .low, title: "t", body: "b", createdAt: now,
                expiresAt: hour.end.adding(seconds: end == "expired" ? 60 : 86_400)))
        fixture.apns.script(phone.token, [HTTP2Answer(429, #"{"reason":"TooManyRequests"}"#)])
        hourEnds()
        await fixture.work()
        #expect(try sent == [])
        switch end {
        case "deleted":
            #expect(try await fixture.ask(.delete, "/v1/notifications/m3", by: phone.secret).status == 204)
        case "read":
            let body: JSONValue = ["ids": ["m3"], "read": true]
            #expect(try await fixture.ask(.patch, "/v1/notifications", body, by: phone.secret).status == 200)
        case "off":
            let body: JSONValue = ["types": ["news": "off"]]
            #expect(try await fixture.ask(.put, "/v1/preferences", body, by: phone.secret).status == 200)
        default: break
        }
        for _ in 1...3 {
            fixture.service.clock.advance(seconds: 600)
            await fixture.work()
        }
        #expect(try sent == ["m2 2"])
        #expect(try await fixture.service.ledger.outbox(OutboxQuery()).elements.isEmpty)
    }

    @Test("Of more than a hundred the unread ones are counted, up to a hundred, and are told once")
    func many() async throws {
        try await tell(1...105)
        #expect(
            try await fixture.ask(.patch, "/v1/notifications", ["read_up_to": 102], by: phone.secret).status == 200)
        hourEnds()
        for _ in 1...9 { await fixture.work() }
        #expect(try sent == ["m105 3"])
        try await tell(106...220)
        for _ in 1...2 {
            hourEnds()
            for _ in 1...9 { await fixture.work() }
        }
        #expect(try sent == ["m105 3", "m220 100"])
        #expect(try await fixture.service.ledger.outbox(OutboxQuery()).elements.isEmpty)
    }

    @Test("A message belongs to the hour in which it was made, also when that ends before it is added")
    func late() async throws {
        hourEnds(before: 1)
        let message = try fixture.message(1, .paymentReceived, .low)
        hourEnds()
        try await fixture.centre.tell(message)
        await fixture.work()
        #expect(try sent == ["m1 1"])
    }

    @Test("What waits for a newer message has not failed, and what the owner has read is dropped")
    func outcomes() async throws {
        try await tell(1...2)
        hourEnds()
        let ledger = fixture.service.ledger
        let (first, second) = (OutboxID.message(1, to: phone.id), OutboxID.message(2, to: phone.id))
        let work = try #require(try await ledger.work(first))
        #expect(await fixture.sender.tell(work) == .continued(at: fixture.service.clock.now.adding(seconds: 10)))
        try await ledger.remove(second)
        #expect(await fixture.sender.tell(work) == .carriedOut)
        #expect(try sent == [])
        try await ledger.mark(.upTo(1), of: fixture.wallet.publicKey, read: true, at: fixture.service.clock.now)
        #expect(await fixture.sender.tell(work) == .dropped("the owner has read it"))
    }

    @Test(
        "FCM and Web Push are told how urgent a message is",
        arguments: [
            (.low, true, "normal", "low"), (.normal, true, "normal", "normal"), (.normal, false, "high", "high"),
        ] as [(DeviceMessage.Priority, Bool, String, String)])
    func urgency(priority: DeviceMessage.Priority, isSilent: Bool, fcm: String, webPush: String) async throws {
        let message = DeviceMessage(try fixture.message(1, .paymentReceived, priority), sequence: 1, readAt: nil)
        let device = try #require(try await fixture.service.ledger.device(phone.id))
        let push = try #require(
            try message.push(
                to: device, isSilent: isSilent, unread: 1, isComplete: true, secret: SecretBytes([1]),
                random: SystemRandom.bytes))
        let now = fixture.service.clock.now
        let body = try JSONValue(parsing: FCMPush(push, token: "t", platform: .android, at: now).body)
        #expect(body["message"]?["android"]?["priority"]?.string == fcm)
        let subscription = try PushSubscription(
            endpoint: HTTPURL("https://push.example/1"),
            key: P256SecretKey([UInt8](repeating: 3, count: 32)).publicKey, secret: [UInt8](repeating: 7, count: 16)
        )
        let request = try WebPush.request(push, to: subscription, authorization: nil, at: now, timeout: .seconds(1))
        #expect(request.headers.first(named: "urgency") == webPush)
    }
}
