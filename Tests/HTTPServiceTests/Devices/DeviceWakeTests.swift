import LedgerRecords
import Platform
@testable import Devices
import HTTPTypes
import LightningCoding
import LightningCrypto
import PushProviders
import ResponderCore
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
import Waiting
@testable import HTTPService

@Suite("A wake, and the alert that follows unless the device handles it", .timeLimit(.minutes(5)))
struct DeviceWakeTests {
    private func order(
        _ fixture: DeviceFixture, _ phone: DeviceFixture.Phone, _ id: String = "w1", seconds: UInt64 = 60
    ) async throws -> Answer {
        try await fixture.ask(
            .post, "/v1/wakes?token=\(phone.handle)",
            [
                "id": .string(id), "topic": "blocktank.incomingHtlc", "payload": ["orderId": "abc"],
                "deadline": .unsigned(fixture.service.clock.now.seconds + seconds), "title": "Incoming payment",
                "body": "Open the app to receive it.",
            ])
    }

    private func acknowledge(
        _ fixture: DeviceFixture, _ phone: DeviceFixture.Phone, _ outcome: String
    ) async throws -> Int {
        try await fixture.ask(.post, "/v1/acks", ["id": "w1", "outcome": .string(outcome)], by: phone.secret).status
    }

    private func id(_ phone: DeviceFixture.Phone) throws -> OutboxID {
        WakeJob.id(of: try #require(WakeID("w1")), phone.id)
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

    @Test(
        "The alert goes after eight seconds, and twenty before the deadline at the latest",
        arguments: [(60, 8), (28, 8), (24, 4), (20, 0), (5, 0)] as [(UInt64, UInt64)])
    func patience(deadline: UInt64, alert: UInt64) throws {
        let now = UnixTime(1_790_000_000)
        let members: JSONObject = ["topic": "t", "deadline": .unsigned(now.seconds + deadline)]
        let order = try WakeOrder(JSONMembers(members), at: now, named: #require(WakeID("w1")))
        #expect(order.alertAt(orderedAt: now) == now.adding(seconds: alert))
    }

    @Test("A wake that the provider refuses is followed by the alert at once, and one that has expired by nothing")
    func refusedOrExpired() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        fixture.apns.script(phone.token, [HTTP2Answer(400, #"{"reason":"DeviceTokenNotForTopic"}"#)])
        _ = try await order(fixture, phone)
        await fixture.work()
        #expect(kinds(fixture) == ["alert"])
        _ = try await order(fixture, phone, "w2", seconds: 5)
        fixture.service.clock.advance(seconds: 5)
        for _ in 1...2 { await fixture.work() }
        #expect(kinds(fixture) == ["alert"])
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
        fixture.service.clock.advance(seconds: 31)
        await fixture.work()
        #expect(kinds(fixture) == ["background"])
        #expect(try await fixture.service.ledger.outbox(OutboxQuery()).elements.isEmpty)
        #expect(
            fixture.service.metrics.page().contains(#"responder_device_acknowledgements_total{outcome="handled"} 1"#))
    }

    @Test("A wake that was handled is followed by nothing, even if the operator has it tried again")
    func handledAndRetried() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        _ = try await order(fixture, phone)
        await fixture.work()
        #expect(try await acknowledge(fixture, phone, "handled") == 204)
        #expect(try await fixture.service.ledger.retry(id(phone), at: fixture.service.clock.now))
        await fixture.work()
        #expect(try await order(fixture, phone).status == 200)
        await fixture.work()
        #expect(kinds(fixture) == ["background"])
        fixture.service.clock.advance(seconds: 61)
        await fixture.work()
        #expect(try await fixture.service.ledger.outbox(OutboxQuery()).elements.isEmpty)
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

    @Test(
        "An order that is repeated before its deadline is the same wake, whatever has become of it",
        arguments: ["handled", "failed", "no_handler", nil])
    func repeated(outcome: String?) async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        _ = try await order(fixture, phone)
        await fixture.work()
        if let outcome { #expect(try await acknowledge(fixture, phone, outcome) == 204) }
        for _ in 1...5 {
            await fixture.work()
            #expect(try await order(fixture, phone).status == 200)
            fixture.service.clock.advance(seconds: 10)
        }
        await fixture.work()
        #expect(kinds(fixture) == (outcome == "handled" ? ["background"] : ["background", "alert"]))
        fixture.service.clock.advance(seconds: 11)
        await fixture.work()
        #expect(try await fixture.service.ledger.outbox(OutboxQuery()).elements.isEmpty)
    }

    @Test("A wake that is handled after all is not followed by the alert that was to come at once")
    func handledAfterAll() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        _ = try await order(fixture, phone)
        await fixture.work()
        for outcome in ["failed", "handled", "failed"] {
            #expect(try await acknowledge(fixture, phone, outcome) == 204)
        }
        for _ in 1...6 {
            await fixture.work()
            fixture.service.clock.advance(seconds: 10)
        }
        #expect(kinds(fixture) == ["background"])
    }

    @Test("An alert that is on its way while the wake is handled does not undo, at its end, that nothing follows")
    func handledMeanwhile() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        let ledger = fixture.service.ledger
        _ = try await order(fixture, phone)
        await fixture.work()
        #expect(try await acknowledge(fixture, phone, "failed") == 204)
        let now = fixture.service.clock.now
        let alert = try #require(
            try await ledger.claim(
                .deviceWake, limit: 1, for: "one", at: now, until: now.adding(seconds: 60), under: nil
            ).work.first)
        let job = try #require(WakeJob(alert))
        #expect(job.state == .alert)
        #expect(try await acknowledge(fixture, phone, "handled") == 204)
        #expect(await fixture.sender.wake(job, alert) == .recorded)
        try await ledger.postpone(alert, until: now, because: "stale")
        #expect(try await ledger.work(alert.id).flatMap { WakeJob($0) }?.state == .ended)
        fixture.service.clock.advance(seconds: 8)
        await fixture.work()
        #expect(kinds(fixture) == ["background", "alert"])
    }

    @Test("A device has twenty wakes at the most before their deadlines; a further order gets 429, a repeated one 200")
    func bounded() async throws {
        let fixture = try await DeviceFixture()
        let (phone, tablet) = (try await fixture.phone(), try await fixture.phone("tablet", "b"))
        for number in 1...20 { #expect(try await order(fixture, phone, "w\(number)").status == 200) }
        let refused = try await order(fixture, phone, "w21")
        #expect(try refused.status == 429 && refused.json()["error"] == "too_many_wakes")
        #expect(try await order(fixture, phone).status == 200)
        #expect(try await order(fixture, tablet).status == 200)
        fixture.service.clock.advance(seconds: 60)
        for _ in 1...2 { await fixture.work() }
        #expect(try await order(fixture, phone, "w21").status == 200)
    }

    @Test("A wake that the provider refuses is tried no more, and keeps its place until the deadline")
    func refusedByProvider() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        fixture.apns.script(
            phone.token, [HTTP2Answer](repeating: HTTP2Answer(400, #"{"reason":"DeviceTokenNotForTopic"}"#), count: 2))
        _ = try await order(fixture, phone)
        await fixture.work()
        fixture.service.clock.advance(seconds: 59)
        await fixture.work()
        #expect(kinds(fixture) == [])
        let work = try #require(try await fixture.service.ledger.work(id(phone)))
        #expect(!work.isParked && work.failure == "DeviceTokenNotForTopic")
        fixture.service.clock.advance(seconds: 1)
        await fixture.work()
        #expect(try await fixture.service.ledger.outbox(OutboxQuery()).elements.isEmpty)
    }

    @Test(
        "An alert that the provider does not take is sent again within seconds, until the deadline", arguments: [1, 5])
    func alertAgain(failures: Int) async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        _ = try await order(fixture, phone)
        await fixture.work()
        fixture.service.clock.advance(seconds: 8)
        fixture.apns.script(
            phone.token,
            [HTTP2Answer](repeating: HTTP2Answer(503, #"{"reason":"ServiceUnavailable"}"#), count: 2 * failures))
        for _ in 0...failures {
            #expect(kinds(fixture) == ["background"])
            await fixture.work()
            fixture.service.clock.advance(seconds: 5)
        }
        #expect(kinds(fixture) == ["background", "alert"])
    }

    @Test("A silent push message that hangs is given up when the alert is due")
    func hanging() async throws {
        let monotonic = ManualClock()
        let fixture = try await DeviceFixture(monotonic: monotonic.clock)
        let phone = try await fixture.phone()
        _ = try await order(fixture, phone, seconds: 3600)
        fixture.apns.script(phone.token, [HTTP2Answer(200, after: .stall)])
        let begun = MonotonicTime.now
        let working = Task { await fixture.work() }
        try await monotonic.waitForSleepers(1)
        fixture.service.clock.advance(seconds: 8)
        monotonic.advance(by: .seconds(8))
        await working.value
        // The provider's own limit is ten seconds.
        #expect(MonotonicTime.now - begun < .seconds(10))
        let work = try await fixture.service.ledger.work(id(phone))
        #expect(work?.state == .pending(dueAt: fixture.service.clock.now))
    }

    @Test(
        "The silent message of a wake of a minute is as urgent as a payer's question; all others are as urgent as alerts"
    )
    func priority() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        let device = try #require(try await fixture.service.ledger.device(phone.id))
        let now = fixture.service.clock.now
        for (seconds, priority) in [(60, .reply), (61, .alert)] as [(UInt64, PushPriority)] {
            let members: JSONObject = ["topic": "t", "deadline": .unsigned(now.seconds + seconds)]
            let order = try WakeOrder(JSONMembers(members), at: now, named: #require(WakeID("w1")))
            for push in [WakeOrder.Push.wake, .alert] {
                let sent = try order.message(
                    push, to: device, at: now, secret: SecretBytes([1]), random: SystemRandom.bytes)
                #expect(sent?.priority == (push == .wake ? priority : .alert))
            }
        }
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
