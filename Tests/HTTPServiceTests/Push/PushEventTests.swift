import Contracts
import HTTPTypes
import LightningCoding
import LightningCrypto
import Notifications
import Platform
import Push
import PushProviders
import SQLiteLedger
import Testing
import Waiting

@testable import HTTPService

@Suite("Events that are kept until they are sent", .timeLimit(.minutes(1)))
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
        let frame = APNsPush(
            PushMessage(
                PushContent(type: "payment_received", title: "Incoming payment", payload: ["payment_hash": ""]),
                .alert, expires: .now())
        ).body.count
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
        "Twenty events wait for one device at the most, however its token is written; others have places of their own")
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
                    query: [("platform", "ios"), ("token", token)], body: Array(PushRouteTests.swap.utf8)))
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

    @Test("A parked event is removed when it has expired, and not before")
    func forgotten() async throws {
        routes.apns.script(PushRouteTests.device, [HTTP2Answer(400, #"{"reason":"TopicDisallowed"}"#)])
        #expect(try await routes.post(PushRouteTests.swap).status == 200)
        let delivery = routes.delivery
        let runner = OutboxRunner(
            .init(.push, holder: "another"), of: routes.service.ledger, carryOut: { await delivery.carryOut($0) })
        await runner.runOnce()
        #expect(try await kept().map(\.isParked) == [true])
        try await delivery.forgetExpired()
        #expect(try await kept().count == 1)
        let deadline = try #require(try await kept().first?.deadline)
        try await routes.delivery(delivery.settings, wallClock: { deadline }).forgetExpired()
        #expect(try await kept().isEmpty)
    }

    @Test("Push services that hang leave places to the others")
    func places() {
        let places = WebPushPlaces()
        for host in ["a", "b", "c"] {
            for _ in 0..<WebPushPlaces.ofHost { #expect(places.take(for: host)) }
            #expect(!places.take(for: host))
        }
        #expect(!places.take(for: "d"))
        places.giveBack("a")
        #expect(places.take(for: "d"))
        places.giveBack("b")
        #expect(places.take(for: "b"))
    }
}
