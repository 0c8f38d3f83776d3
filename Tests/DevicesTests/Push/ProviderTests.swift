import Devices
import LightningCoding
import LightningCrypto
import OutboundHTTP
import Platform
import ResponderModel
import PushProviders
import Testing
import Waiting

@Suite("Messages to a strict APNs", .timeLimit(.minutes(5)))
struct APNsProviderTests {
    let apns: APNsStandIn
    let clock = WallClockInHand(PushFixture.now)
    let reports = Reports()
    let tokens = TokensInMemory()
    static let device = String(repeating: "ab", count: 32)

    init() async throws {
        let clock = clock
        apns = try await APNsStandIn(
            key: PushFixture.key().publicKey, keyID: "ABC123DEFG", team: "DEF123GHIJ", topics: ["com.example.wallet"],
            clock: { clock.now })
    }

    func provider(
        topic: String = "com.example.wallet", key: P256SecretKey? = nil, sandbox: APNsStandIn? = nil,
        http2: HTTP2 = .priorKnowledge
    ) throws -> APNsProvider {
        var client = HTTPClient.Configuration()
        client.http2 = http2
        let (clock, reports) = (clock, reports)
        var servers = [PushEnvironment.production: try apns.url]
        if let sandbox { servers[.sandbox] = try sandbox.url }
        return APNsProvider(
            key: try APNsKey(id: "ABC123DEFG", team: "DEF123GHIJ", key ?? PushFixture.key()), topic: topic,
            servers: servers, client: client,
            tokensIn: tokens, wallClock: { clock.now }, report: { reports.add($0) })
    }

    func send(
        _ provider: APNsProvider, _ priority: PushPriority = .alert, _ token: String = device,
        _ environment: PushEnvironment? = .production, registeredAt: UnixTime? = nil
    ) async throws -> PushOutcome {
        let message = PushFixture.message(["reply_url": "https://a/r/1"], priority)
        return await provider.send(
            message, to: try #require(APNsToken(token)), environment, registeredAt: registeredAt)
    }

    @Test(
        "200 messages at once go over one connection, and none breaks the limit of one stream before the first answer")
    func coldBurst() async throws {
        let provider = try provider()
        let outcomes = try await withThrowingTaskGroup(of: PushOutcome.self) { group in
            for _ in 0..<200 { group.addTask { try await send(provider) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 200)
        #expect(outcomes.allSatisfy { $0 == .accepted(id: "00000000-0000-4000-8000-000000000000") })
        let record = apns.record
        #expect(record.connections == 1)
        #expect(record.violations == 0)
        #expect((2...100).contains(record.peakStreams))
        #expect(apns.refusals == [])
        #expect(Set(apns.accepted.map { $0.headers["authorization"] }).count == 1)
    }

    @Test("What the extension reads arrives as it is")
    func body() async throws {
        _ = try await send(try provider())
        let accepted = try #require(apns.accepted.first)
        #expect(
            accepted.body == [
                "aps": ["alert": ["title": "Invoice requested"], "mutable-content": 1],
                "notification_type": "lnurlpay_invoice",
                "notification_payload": #"{"reply_url":"https://a/r/1"}"#,
            ])
        #expect(accepted.headers["apns-expiration"] == "1700000030")
    }

    @Test("A server that speaks only HTTP/1.1 is no APNs")
    func version() async throws {
        let provider = try provider(http2: .overTLS)
        let outcome = try await send(provider)
        guard case .later = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(apns.accepted.isEmpty)
    }

    @Test("The key of another team, and an app that is not the key's, are alarms; no token is dropped")
    func misconfigured() async throws {
        let other = try provider(key: P256SecretKey([UInt8](repeating: 9, count: 32)))
        #expect(try await send(other) == .later(seconds: 60, "InvalidProviderToken"))
        #expect(reports.alarms == [.credential("InvalidProviderToken")])
        // The key rests: the provider is not asked again.
        #expect(try await send(other) == .paused(seconds: 60, "the provider has refused the key"))
        #expect(apns.refusals == ["InvalidProviderToken"])
        #expect(try await send(provider(topic: "com.example.other")) == .parked("TopicDisallowed"))
        #expect(reports.alarms.last == .misconfigured("TopicDisallowed"))
    }

    @Test("A token that the provider calls expired is renewed once, and the message arrives")
    func expired() async throws {
        let provider = try provider()
        #expect(try await send(provider) == .accepted(id: "00000000-0000-4000-8000-000000000000"))
        apns.script([HTTP2Answer(403, #"{"reason":"ExpiredProviderToken"}"#)])
        clock.advance(1300)
        #expect(try await send(provider) == .accepted(id: "00000000-0000-4000-8000-000000000000"))
        #expect(Set(apns.accepted.map { $0.headers["authorization"] }).count == 2)
        #expect(reports.alarms == [])
    }

    @Test("Tokens are renewed often enough for an hour's age and seldom enough for 20 minutes")
    func renewal() async throws {
        let provider = try provider()
        for _ in 0..<30 {
            #expect(try await send(provider) == .accepted(id: "00000000-0000-4000-8000-000000000000"))
            clock.advance(600)
        }
        #expect(apns.refusals == [])
        #expect((7...9).contains(Set(apns.accepted.map { $0.headers["authorization"] }).count))
    }

    @Test("A token of the other environment is found there, and a wrong one is dropped after both")
    func environments() async throws {
        let sandbox = try await APNsStandIn(
            key: PushFixture.key().publicKey, keyID: "ABC123DEFG", team: "DEF123GHIJ", topics: ["com.example.wallet"],
            clock: { [clock] in clock.now })
        let provider = try provider(sandbox: sandbox)
        let bad = HTTP2Answer(400, #"{"reason":"BadDeviceToken"}"#)
        apns.script([bad, bad])
        #expect(
            try await send(provider, .alert, Self.device, nil) == .accepted(id: "00000000-0000-4000-8000-000000000000"))
        sandbox.script([bad])
        #expect(try await send(provider, .alert, Self.device, nil) == .gone)
        #expect(sandbox.accepted.count == 1)
    }

    @Test("When many tokens are unknown the operator is told, and none is dropped any more")
    func wrongServer() async throws {
        let provider = try provider()
        apns.script(Array(repeating: HTTP2Answer(400, #"{"reason":"BadDeviceToken"}"#), count: 8))
        var outcomes: [PushOutcome] = []
        for _ in 0..<8 { outcomes.append(try await send(provider)) }
        #expect(outcomes.filter { $0 == .gone }.count == 4)
        #expect(outcomes.suffix(4).allSatisfy { $0 == .refused("the provider does not know the device's token") })
        #expect(reports.alarms == [.manyBadTokens])
    }

    @Test("A device that has gone is dropped, unless it was registered again since")
    func gone() async throws {
        let provider = try provider()
        let gone = HTTP2Answer(410, #"{"reason":"Unregistered","timestamp":1700000000000}"#)
        apns.script(Self.device, [gone, gone])
        #expect(try await send(provider, registeredAt: UnixTime(1_600_000_000)) == .gone)
        #expect(
            try await send(provider, registeredAt: UnixTime(1_700_000_001))
                == .refused("the token was invalid before the device registered it again"))
    }

    @Test("After a GOAWAY, and after a cut connection, the message goes over a new one")
    func goneAway() async throws {
        let provider = try provider()
        for after in [HTTP2Answer.After.goAway, .cut] {
            apns.script([HTTP2Answer(200, after: after)])
            for _ in 0..<2 {
                let outcome = try await send(provider)
                #expect(
                    outcome == .accepted(id: "00000000-0000-4000-8000-000000000000") || outcome == .accepted(id: nil))
            }
        }
        #expect(apns.record.connections >= 3)
        #expect(apns.record.violations == 0)
        #expect(apns.accepted.count == 4)
    }

    @Test(
        "After the provider has closed an idle connection, many messages at once cause a few new ones, each with one request first"
    )
    func closedWhileIdle() async throws {
        let provider = try provider()
        apns.script([HTTP2Answer(200, after: .goAway)])
        _ = try await send(provider, .reply)
        let outcomes = try await withThrowingTaskGroup(of: PushOutcome.self) { group in
            for _ in 0..<50 { group.addTask { try await send(provider, .reply) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0 == .accepted(id: "00000000-0000-4000-8000-000000000000") })
        #expect(apns.record.connections <= 4)
        #expect(apns.record.violations == 0)
    }

    @Test("When APNs wants no new token, the message goes with the one before, and the operator is told")
    func tooManyTokens() async throws {
        let provider = try provider()
        #expect(try await send(provider) == .accepted(id: "00000000-0000-4000-8000-000000000000"))
        // To the next token.
        clock.advance(2400)
        apns.script([HTTP2Answer(429, #"{"reason":"TooManyProviderTokenUpdates"}"#)])
        for _ in 1...2 { #expect(try await send(provider) == .accepted(id: "00000000-0000-4000-8000-000000000000")) }
        #expect(Set(apns.accepted.map { $0.headers["authorization"] }).count == 1)
        #expect(
            reports.alarms == [.credential("tokens of this key are renewed too often; another program uses it too")])
    }

    @Test("When the provider fails, another connection is tried once, and then nothing for a quarter of an hour")
    func outage() async throws {
        let provider = try provider()
        let failed = HTTP2Answer(503, #"{"reason":"Shutdown"}"#)
        apns.script([failed, failed, failed, failed])
        #expect(try await send(provider, .alert) == .later(seconds: 900, "Shutdown"))
        #expect(try await send(provider, .reply) == .later(seconds: 900, "Shutdown"))
        apns.script([failed])
        #expect(try await send(provider, .reply) == .accepted(id: "00000000-0000-4000-8000-000000000000"))
    }

    @Test("Who hangs up while the provider answers does not take the connection from the others")
    func hangsUp() async throws {
        let provider = try provider()
        #expect(try await send(provider, .reply) == .accepted(id: "00000000-0000-4000-8000-000000000000"))
        let stalled = String(repeating: "cd", count: 32)
        apns.script(stalled, [HTTP2Answer(200, after: .stall)])
        let waiting = Task { try await send(provider, .reply, stalled) }
        try await eventually { apns.scripted(stalled) == 0 }
        waiting.cancel()
        #expect(try await waiting.value == .later(seconds: 10, OutboundFault.canceled.reason))
        #expect(try await send(provider, .reply) == .accepted(id: "00000000-0000-4000-8000-000000000000"))
        #expect(apns.record.connections == 1)
    }

    @Test("A waiting payer's message does not wait behind alerts that the provider does not answer")
    func lanes() async throws {
        let provider = try provider()
        let stalled = String(repeating: "cd", count: 32)
        apns.script(stalled, Array(repeating: HTTP2Answer(200, after: .stall), count: 3))
        let hasEnded = Guarded(false)
        let alert = Task {
            _ = try await send(provider, .alert, stalled)
            hasEnded.withLock { $0 = true }
        }
        try await eventually { apns.record.peakStreams > 0 }
        let reply = try await send(provider, .reply)
        #expect(reply == .accepted(id: "00000000-0000-4000-8000-000000000000"))
        #expect(!hasEnded.withLock { $0 })
        alert.cancel()
        _ = try? await alert.value
    }
}

@Suite("Messages to a strict push service", .timeLimit(.minutes(5)))
struct WebPushProviderTests {
    let service: WebPushStandIn
    let provider: WebPushProvider
    let clock = WallClockInHand(PushFixture.now)

    init() throws {
        let key = try VAPIDKey(PushFixture.key(), contact: "mailto:push@example.com")
        let clock = clock
        service = try WebPushStandIn(
            subscriber: P256SecretKey([UInt8](repeating: 3, count: 32)), secret: [UInt8](repeating: 7, count: 16),
            senderKey: key.publicText, clock: { clock.now })
        provider = try WebPushProvider(key, client: HTTPClient.Configuration(), wallClock: { clock.now })
    }

    @Test("The subscriber reads what was sent")
    func delivered() async throws {
        let outcome = await provider.send(
            PushFixture.message(collapseID: CollapseID("x")), to: try service.subscription)
        #expect(outcome == .accepted(id: "/m/1"))
        let message = try #require(service.messages.first)
        #expect(message.lifetime == 30)
        #expect(message.urgency == "high")
        #expect(message.topic != nil)
        #expect(try JSONValue(parsing: message.text)["notification_type"] == "lnurlpay_invoice")
        #expect(service.refusals == [])
    }

    @Test(
        "Answers end a message as the table says",
        arguments: [
            (404, [], PushOutcome.gone), (410, [], .gone), (413, [], .tooLarge),
            (429, ["Retry-After: 30"], .later(seconds: 30, "too many messages for this device")),
            (500, [], .later(seconds: 10, "status 500")), (403, [], .refused("status 403")),
            (400, [], .refused("status 400")),
        ] as [(Int, [String], PushOutcome)])
    func answers(status: Int, headers: [String], outcome: PushOutcome) async throws {
        service.script(status, headers: headers)
        #expect(await provider.send(PushFixture.message([:], .alert), to: try service.subscription) == outcome)
    }

    @Test("A redirect is not followed")
    func redirect() async throws {
        service.script(307, headers: ["Location: \(try service.subscription.endpoint.text)"])
        #expect(await provider.send(PushFixture.message(), to: try service.subscription) == .refused("status 307"))
        #expect(service.messages.isEmpty)
    }

    @Test("An endpoint on an internal network is not asked")
    func internalNetwork() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.addressPolicy = .publicOnly
        let careful = try WebPushProvider(nil, client: configuration)
        #expect(
            await careful.send(PushFixture.message(), to: try service.subscription)
                == .refused("the host's addresses are not allowed"))
    }

    @Test("Tokens are valid at every hour of the day")
    func tokens() async throws {
        for _ in 0..<13 {
            guard case .accepted = await provider.send(PushFixture.message(), to: try service.subscription) else {
                Issue.record("at \(clock.now)")
                return
            }
            clock.advance(7200)
        }
        #expect(service.refusals == [])
    }
}

/// A wall clock that tests advance.
final class WallClockInHand: Sendable {
    private let moment: Guarded<UnixTime>

    init(_ moment: UnixTime) { self.moment = Guarded(moment) }

    var now: UnixTime { moment.withLock { $0 } }

    func set(_ time: UnixTime) { moment.withLock { $0 = time } }

    func advance(_ seconds: UInt64) { moment.withLock { $0 = $0.adding(seconds: seconds) } }
}

/// What a provider has told.
final class Reports: Sendable {
    private let reports = Guarded<[PushReport]>([])

    func add(_ report: PushReport) { reports.withLock { $0.append(report) } }

    var alarms: [PushAlarm] {
        reports.withLock { reports in reports.compactMap { if case .alarm(_, let alarm) = $0 { alarm } else { nil } } }
    }
}
