import Contracts
import Devices
import HTTPTypes
import LightningCoding
import PushProviders
import SQLiteLedger
import TemporaryFolders
import Testing

@testable import HTTPService

@Suite("A wake, and the alert that follows unless the device handles it", .timeLimit(.minutes(1)))
struct DeviceWakeTests {
    private func order(
        _ fixture: DeviceFixture, _ phone: DeviceFixture.Phone, seconds: UInt64 = 60
    ) async throws -> Answer {
        try await fixture.ask(
            .post, "/v1/wakes?token=\(phone.handle)",
            [
                "id": "w1", "topic": "blocktank.incomingHtlc", "payload": ["orderId": "abc"],
                "deadline": .unsigned(fixture.service.clock.now.seconds + seconds), "title": "Incoming payment",
                "body": "Open the app to receive it.",
            ])
    }

    private func acknowledge(
        _ fixture: DeviceFixture, _ phone: DeviceFixture.Phone, _ outcome: String
    ) async throws -> Int {
        try await fixture.ask(.post, "/v1/acks", ["id": "w1", "outcome": .string(outcome)], by: phone.secret).status
    }

    private func kinds(_ fixture: DeviceFixture) -> [String] {
        fixture.apns.accepted.compactMap { $0.headers["apns-push-type"] }
    }

    @Test("A wake is silent and encrypted; one that is not acknowledged in time is followed by an alert, once")
    func unanswered() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        #expect(try await order(fixture, phone).body == #"{"id":"w1"}"#)
        await fixture.work()
        let wake = try fixture.wake(in: #require(fixture.apns.accepted.first))
        #expect(wake.topic.text == "blocktank.incomingHtlc" && wake.payload == ["orderId": "abc"])
        fixture.service.clock.advance(seconds: 7)
        await fixture.work()
        #expect(kinds(fixture) == ["background"])
        fixture.service.clock.advance(seconds: 1)
        for _ in 1...2 { await fixture.work() }
        #expect(kinds(fixture) == ["background", "alert"])
        let alert = try #require(fixture.apns.accepted.last)
        #expect(alert.body["aps"]?["alert"]?["title"] == "Incoming payment")
        #expect(alert.body["aps"]?["interruption-level"] == "time-sensitive")
        #expect(alert.body["wake_fallback"] == ["v": 1, "id": "w1", "topic": "blocktank.incomingHtlc"])
        #expect(alert.headers["apns-collapse-id"] == fixture.apns.accepted[0].headers["apns-collapse-id"])
    }

    @Test("A wake that is handled in time is followed by nothing")
    func handled() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        _ = try await order(fixture, phone)
        await fixture.work()
        #expect(try await acknowledge(fixture, phone, "handled") == 204)
        fixture.service.clock.advance(seconds: 30)
        await fixture.work()
        #expect(kinds(fixture) == ["background"])
        #expect(try await fixture.service.ledger.outbox(OutboxQuery()).elements.isEmpty)
        #expect(
            fixture.service.metrics.page().contains(#"responder_device_acknowledgements_total{outcome="handled"} 1"#))
    }

    @Test("A device that cannot handle a wake is alerted at once", arguments: ["no_handler", "failed"])
    func unable(outcome: String) async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        _ = try await order(fixture, phone)
        await fixture.work()
        #expect(try await acknowledge(fixture, phone, outcome) == 204)
        await fixture.work()
        #expect(kinds(fixture) == ["background", "alert"])
        fixture.service.clock.advance(seconds: 8)
        await fixture.work()
        #expect(kinds(fixture).count == 2)
    }

    @Test("Only the woken device acknowledges, and what is unknown is ignored")
    func others() async throws {
        let fixture = try await DeviceFixture()
        let (phone, tablet) = (try await fixture.phone(), try await fixture.phone("tablet", "b"))
        _ = try await order(fixture, phone)
        await fixture.work()
        #expect(try await acknowledge(fixture, tablet, "handled") == 204)
        fixture.service.clock.advance(seconds: 8)
        await fixture.work()
        #expect(kinds(fixture) == ["background", "alert"])
        #expect(try await acknowledge(fixture, phone, "done") == 400)
    }

    @Test("An order is kept before its sender gets 200, survives a restart, and is taken once")
    func restarted() async throws {
        let folder = TemporaryFolder()
        let first = try await DeviceFixture(on: TestService(folder: folder))
        let phone = try await first.phone()
        for _ in 1...2 { #expect(try await order(first, phone).status == 200) }
        await first.work()
        await first.service.ledger.close()
        let second = try await DeviceFixture(
            on: TestService(folder: folder, instance: 2, hasAlice: false), apns: first.apns)
        second.service.clock.advance(seconds: 8)
        await second.work()
        #expect(kinds(second) == ["background", "alert"])
    }

    @Test("A wake whose wake push the provider does not take is followed by the alert at its time")
    func provider() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        let failed = HTTP2Answer(503, #"{"reason":"ServiceUnavailable"}"#)
        fixture.apns.script(phone.token, [failed, failed])
        _ = try await order(fixture, phone)
        await fixture.work()
        #expect(kinds(fixture) == [])
        fixture.service.clock.advance(seconds: 8)
        await fixture.work()
        #expect(kinds(fixture) == ["alert"])
    }

    @Test("An order for nobody gets 410, and one that is malformed or too long 400")
    func refused() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        let topic: JSONValue = ["topic": "a"]
        #expect(try await fixture.ask(.post, "/v1/wakes?token=wkh_x", topic).status == 410)
        #expect(try await fixture.ask(.post, "/v1/wakes", topic).status == 410)
        let now = fixture.service.clock.now.seconds
        let bodies: [JSONValue] = [
            [:], ["topic": ""], ["topic": "a", "deadline": .unsigned(now)], ["topic": "a", "title": ""],
            ["topic": "a", "deadline": .unsigned(now + 86_401)],
            ["topic": "a", "payload": .string(String(repeating: "x", count: 2047))],
        ]
        for body in bodies {
            #expect(try await fixture.ask(.post, "/v1/wakes?token=\(phone.handle)", body).status == 400, "\(body)")
        }
        let largest: JSONValue = ["topic": "a", "payload": .string(String(repeating: "x", count: 2046))]
        #expect(try await fixture.ask(.post, "/v1/wakes?token=\(phone.handle)", largest).status == 200)
        await fixture.work()
        #expect(kinds(fixture) == ["background"])
    }
}
