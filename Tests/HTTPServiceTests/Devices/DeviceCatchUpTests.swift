import Contracts
import Devices
import HTTPTypes
import LightningCoding
import PushProviders
import SQLiteLedger
import Testing

@testable import HTTPService

@Suite("Catching up over HTTP", .timeLimit(.minutes(1)))
struct DeviceCatchUpTests {
    @Test("A phone that was off reports the alert that it got, is woken once, and fetches the rest")
    func catchesUp() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        for number in 1...3 as ClosedRange<UInt64> { try await fixture.centre.tell(fixture.message(number)) }
        await fixture.work()
        #expect(fixture.apns.accepted.count == 3)
        // APNs has kept the newest alone.
        #expect(try await fixture.ask(.post, "/v1/deliveries", ["ids": ["m3"]], by: phone.secret).status == 204)
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

    @Test("A silent message does not replace an alert that the provider may have stored; the device fetches it")
    func silent() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        try await fixture.centre.tell(fixture.message(1))
        await fixture.work()
        try await fixture.centre.tell(fixture.message(2, .paymentReceived, .low))
        await fixture.work()
        #expect(fixture.apns.accepted.count == 1)
        #expect(try await fixture.ask(.post, "/v1/deliveries", ["ids": ["m1"]], by: phone.secret).status == 204)
        fixture.service.clock.advance(seconds: 30)
        try await fixture.sender.wakeForCatchUp()
        #expect(fixture.apns.accepted.count == 2)
    }

    @Test("What replaces a stored alert at the provider makes the device catch up once it has expired itself")
    func replaced() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        try await fixture.centre.tell(fixture.message(1))
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
