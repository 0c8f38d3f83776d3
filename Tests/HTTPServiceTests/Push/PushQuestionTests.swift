@testable import Devices
import HTTPTypes
import LightningCoding
import LightningCrypto
import LoopbackServer
import OutboundHTTP
import Platform
import PushProviders
import ResponderModel
import Registrations
import Testing
import Waiting
@testable import HTTPService

@Suite("Limits of questions that wait for devices", .timeLimit(.minutes(5)))
struct PushQuestionTests {
    private let routes: PushRouteTests

    init() async throws { routes = try await PushRouteTests() }

    @Test("Whoever has guessed ids too often is not heard, but for the right one")
    func guesses() async throws {
        let waiting = Task { try await routes.post(PushRouteTests.request) }
        try await eventually { !routes.apns.accepted.isEmpty }
        let payload = try JSONValue(
            parsing: try #require(routes.apns.accepted.first?.body["notification_payload"]?.string))
        let path = try HTTPURL(try #require(payload["reply_url"]?.string)).path
        let router = routes.router(ServiceRates([.unknownReply: RateLimit(perMinute: 2)]))
        func reply(_ path: String, from peer: String) async throws -> Int {
            try await Answer(
                router, path, .post, [:], "{}", from: peer
            ).status
        }
        #expect(try await reply("/api/v1/response/1", from: "192.0.2.1") == 500)
        #expect(try await reply("/api/v1/response/2", from: "192.0.2.1") == 500)
        #expect(try await reply("/api/v1/response/3", from: "192.0.2.1") == 429)
        #expect(try await reply(path, from: "192.0.2.1") == 200)
        #expect(try await reply("/api/v1/response/3", from: "198.51.100.1") == 500)
        #expect(try await waiting.value.body == "{}")
    }

    @Test(
        "Five requests wait for one device at the most, however its token is written; each end makes place for another")
    func ofDevice() async throws {
        let waiting = (0..<5).map { number in
            let token = number % 2 == 0 ? PushRouteTests.device : PushRouteTests.device.uppercased()
            return Task { try await routes.post(PushRouteTests.request, "platform=ios&token=\(token)") }
        }
        try await eventually { routes.apns.accepted.count == 5 }
        #expect(
            try await routes.post(PushRouteTests.request).body == #"{"error":"too many requests wait for this device"}"#
        )
        let other = Task {
            try await routes.post(
                PushRouteTests.request, "platform=ios&token=\(String(repeating: "cd", count: 32))")
        }
        try await eventually { routes.apns.accepted.count == 6 }
        let payload = try JSONValue(
            parsing: try #require(routes.apns.accepted.first?.body["notification_payload"]?.string))
        let path = try HTTPURL(try #require(payload["reply_url"]?.string)).path
        #expect(try await routes.post("{}", "", at: path).status == 200)
        let next = Task { () -> Answer? in
            while !Task.isCancelled {
                let answer = try await routes.post(PushRouteTests.request)
                guard answer.body.contains("too many") else { return answer }
                await Task.yield()
            }
            return nil
        }
        defer { next.cancel() }
        try await eventually { routes.apns.accepted.count == 7 }
        await routes.delivery.replies.stop()
        for task in waiting + [other] { _ = try await task.value }
        _ = try await next.value
    }

    @Test("A sender who closes the connection, resets it, or closes its side of it, gives its place back at once")
    func hangingUp() async throws {
        let slots = routes.service.slots
        try await RunningService.with(existing: routes.service, features: [routes.delivery]) { _, payers, _, _ in
            for (number, end) in [RawConnection.close, RawConnection.finishSending, RawConnection.reset].enumerated() {
                let connection = try RawConnection(to: payers)
                connection.send(
                    """
                    POST /api/v1/notify?platform=ios&token=\(PushRouteTests.device) HTTP/1.1\r\nHost: example.com\r\n\
                    Content-Length: \(PushRouteTests.request.utf8.count)\r\n\r\n\(PushRouteTests.request)
                    """)
                try await eventually { routes.apns.accepted.count == number + 1 }
                #expect(slots.count == 1)
                end(connection)()
                try await eventually { slots.count == 0 }
            }
        }
    }

    @Test(
        "A device that does not reply is woken five times in ten seconds at the most, whether or not the senders wait")
    func askingAndLeaving() async throws {
        let clock = ManualClock()
        let delivery = routes.delivery(routes.delivery.settings, clock: clock.clock)
        let request = try NotifyRequest(
            query: [("platform", "ios"), ("token", PushRouteTests.device)], body: Array(PushRouteTests.request.utf8))
        let refusal = PushAnswer.notAnswered("too many requests wait for this device")
        for number in 1...5 {
            let connection = PayerConnection()
            let asking = Task { await delivery.answer(request, from: nil, over: connection) }
            try await eventually { routes.apns.accepted.count == number }
            connection.close()
            _ = await asking.value
        }
        #expect(routes.service.slots.count == 0)
        #expect(await delivery.answer(request, from: nil) == refusal)
        clock.advance(by: .milliseconds(9_999))
        #expect(await delivery.answer(request, from: nil) == refusal)
        clock.advance(by: .milliseconds(1))
        let next = Task {
            while !Task.isCancelled {
                let answer = await delivery.answer(request, from: nil)
                guard answer == refusal else { return answer as PushAnswer? }
                await Task.yield()
            }
            return nil
        }
        defer { next.cancel() }
        try await eventually { routes.apns.accepted.count == 6 }
        await delivery.replies.stop()
        #expect(await next.value == .silent)
    }

    @Test("Requests that a network has left count for it until they are ten seconds old, and keep out nobody else")
    func leftByNetwork() async throws {
        let clock = ManualClock()
        let delivery = routes.delivery(routes.delivery.settings, clock: clock.clock)
        routes.service.slots.total = 16
        func leave(_ number: Int, from network: String) async throws -> PushAnswer {
            let token = String(repeating: Hexadecimal.encode([UInt8(number)]), count: 32)
            let request = try NotifyRequest(
                query: [("platform", "ios"), ("token", token)], body: Array(PushRouteTests.request.utf8))
            let (connection, pushed) = (PayerConnection(), routes.apns.accepted.count)
            let address: IPAddress = try #require(IPAddress(network))
            let done = Guarded(false)
            let asking = Task {
                let answer = await delivery.answer(request, from: ClientNetwork(address), over: connection)
                done.withLock { $0 = true }
                return answer
            }
            try await eventually { routes.apns.accepted.count > pushed || done.withLock { $0 } }
            connection.close()
            return await asking.value
        }
        // An eighth of four times sixteen.
        for number in 1...8 { #expect(try await leave(number, from: "192.0.2.1") == .silent) }
        let refusal = PushAnswer.notAnswered("too many requests of this network wait for devices")
        #expect(try await leave(9, from: "192.0.2.1") == refusal)
        #expect(try await leave(10, from: "198.51.100.1") == .silent)
        #expect(routes.service.slots.count == 0)
        try await eventually { clock.sleepers == 9 }
        clock.advance(by: .seconds(10))
        try await eventually { try await leave(11, from: "192.0.2.1") == .silent }
        await delivery.replies.stop()
    }

    /// A push service, its subscribers' keys, and what puts a body to a subscription, from a network.
    private func web() async throws -> (
        service: WebPushStandIn, keys: JSONValue,
        ask: @Sendable (String, _ token: String, _ network: String, PayerConnection) async throws -> PushAnswer
    ) {
        let key = try VAPIDKey(P256SecretKey([UInt8](repeating: 0x42, count: 32)), contact: "mailto:push@example.com")
        let service = try WebPushStandIn(
            subscriber: P256SecretKey([UInt8](repeating: 3, count: 32)), secret: [UInt8](repeating: 7, count: 16),
            senderKey: key.publicText)
        let fixture = try await DeviceFixture(webPush: try WebPushProvider(key, client: HTTPClient.Configuration()))
        let subscription = try service.subscription
        let keys: JSONValue = [
            "p256dh": .string(Base64URL.encode(subscription.key.point)),
            "auth": .string(Base64URL.encode(subscription.secret)),
        ]
        return (
            service, keys,
            { body, token, network, connection in
                let address: IPAddress = try #require(IPAddress(network))
                return await fixture.delivery.answer(
                    try NotifyRequest(query: [("platform", "web"), ("token", token)], body: Array(body.utf8)),
                    from: ClientNetwork(address), over: connection)
            }
        )
    }

    @Test("Questions of one network to push services that hang leave places to others, until their senders leave")
    func hangingServices() async throws {
        let (service, keys, ask) = try await web()
        let hanging = try LoopbackServer(raw: { $0.readToEnd() })
        let (one, other) = ("192.0.2.1", "198.51.100.1")
        let asking = (0..<20).map { number in
            let subscription: JSONValue = [
                "endpoint": .string("http://127.0.0.1:\(hanging.port)/\(number)"), "keys": keys,
            ]
            let (token, connection) = (Base64URL.encode(subscription.serializedBytes()), PayerConnection())
            return (connection: connection, task: Task { try await ask(PushRouteTests.info, token, one, connection) })
        }
        try await eventually { hanging.connections == 20 }
        let token = try service.token(1)
        #expect(try await ask(PushRouteTests.info, token, one, PayerConnection()) == .tooMany)
        #expect(
            try await ask(PushRouteTests.request, token, one, PayerConnection())
                == .notAnswered("too many requests of this network wait for devices"))
        #expect(try await ask(PushRouteTests.info, token, other, PayerConnection()) == .taken)
        for sender in asking { sender.connection.close() }
        for sender in asking { _ = try await sender.task.value }
        #expect(try await ask(PushRouteTests.info, token, one, PayerConnection()) == .taken)
    }

    @Test("A request whose device has been asked takes no place of those on their way")
    func sent() async throws {
        let (service, _, ask) = try await web()
        var asking: [(connection: PayerConnection, task: Task<PushAnswer, any Error>)] = []
        for number in 1...21 {
            let (token, connection) = (try service.token(number), PayerConnection())
            asking.append(
                (connection, Task { try await ask(PushRouteTests.request, token, "192.0.2.1", connection) }))
            try await eventually { service.messages.count == number }
        }
        for sender in asking { sender.connection.close() }
        for sender in asking { #expect(try await sender.task.value == .silent) }
    }

    @Test("Nothing is pushed for a request that has ended before other instances knew of it")
    func ended() async throws {
        let shared = HeldExpectation()
        let delivery = routes.delivery(routes.delivery.settings, shared: shared)
        let request = try NotifyRequest(
            query: [("platform", "ios"), ("token", PushRouteTests.device)], body: Array(PushRouteTests.request.utf8))
        let asking = Task { await delivery.answer(request, from: ClientNetwork(nil)) }
        try await eventually { shared.hasBegun }
        await delivery.replies.stop()
        shared.release()
        #expect(await asking.value == .silent)
        #expect(routes.apns.accepted.isEmpty)
    }

    @Test("No device is woken for a sender who has left before other instances knew of the request")
    func leftEarly() async throws {
        let shared = HeldExpectation()
        let delivery = routes.delivery(routes.delivery.settings, shared: shared)
        let request = try NotifyRequest(
            query: [("platform", "ios"), ("token", PushRouteTests.device)], body: Array(PushRouteTests.request.utf8))
        let connection = PayerConnection()
        let asking = Task { await delivery.answer(request, from: ClientNetwork(nil), over: connection) }
        try await eventually { shared.hasBegun }
        connection.close()
        _ = await asking.value
        shared.release()
        try await eventually { shared.isForgotten }
        #expect(routes.apns.accepted.isEmpty)
        #expect(!routes.service.metrics.page().contains("responder_push_replies_missing_total 1"))
    }
}

/// Replies of other instances, whose expectation takes until it is released.
private final class HeldExpectation: SharedReplies {
    private let expectation = FirstAnswer<Bool>()
    private let begun = Guarded(false)
    private let forgotten = Guarded(false)

    var isForgotten: Bool { forgotten.withLock { $0 } }

    var hasBegun: Bool { begun.withLock { $0 } }

    func release() { expectation.give(true) }

    func expect(_ digest: ReplyDigest, within time: Duration) async throws(LedgerFault) {
        begun.withLock { $0 = true }
        _ = await expectation.value()
    }

    func forget(_ digest: ReplyDigest) async throws(LedgerFault) { forgotten.withLock { $0 = true } }

    func hand(_ reply: DeviceReply, for digest: ReplyDigest) async throws(LedgerFault) -> Bool { false }

    func handedOver() async throws(LedgerFault) -> [HandedReply] { [] }
}
