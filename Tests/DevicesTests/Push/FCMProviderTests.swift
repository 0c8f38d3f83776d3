import Devices
import ResponderModel
import LightningCoding
import LightningCrypto
import OutboundHTTP
import PushProviders
import Testing

@Suite("Messages to a strict FCM", .timeLimit(.minutes(5)))
struct FCMProviderTests {
    let fcm: FCMStandIn
    let provider: FCMProvider
    let clock = WallClockInHand(PushFixture.now)
    let reports = Reports()

    init() async throws {
        let key = try RSASecretKey(pem: Array(PublishedKeys.rsa.utf8))
        let (clock, reports) = (clock, reports)
        fcm = try await FCMStandIn(key: key, project: "wallet-1", clock: { clock.now })
        var client = HTTPClient.Configuration()
        client.http2 = .priorKnowledge
        let account = ServiceAccount(
            project: "wallet-1", email: "a@example.com", keyID: "f00d", tokenURL: try fcm.tokenURL, key)
        provider = try FCMProvider(
            account: account, server: fcm.url, client: client, wallClock: { clock.now },
            report: { reports.add($0) })
    }

    private func send(_ priority: PushPriority = .alert, _ token: String = "t") async -> PushOutcome {
        await provider.send(PushFixture.message(["reply_url": "https://a"], priority), to: token, .android)
    }

    @Test("100 messages at once need one access token and one connection")
    func burst() async throws {
        let outcomes = await withTaskGroup(of: PushOutcome.self) { group in
            for _ in 0..<100 { group.addTask { await send() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { if case .accepted = $0 { true } else { false } })
        #expect(fcm.messages.count == 100)
        #expect(fcm.tokensIssued == 1)
        #expect(fcm.record.connections == 1)
        #expect(fcm.refusals == [])
    }

    @Test("The access token is renewed before its end, and when it is refused")
    func renewal() async throws {
        _ = await send()
        clock.advance(3298)
        _ = await send()
        #expect(fcm.tokensIssued == 1)
        clock.advance(1)
        _ = await send()
        #expect(fcm.tokensIssued == 2)
        fcm.revoke()
        #expect(await send() == .accepted(id: "projects/wallet-1/messages/4"))
        #expect(fcm.tokensIssued == 3)
    }

    @Test(
        "Errors end a message as the table says",
        arguments: [
            (404, FCMStandIn.error(404, "UNREGISTERED"), PushOutcome.gone),
            (400, FCMStandIn.error(400, "INVALID_ARGUMENT", field: "message.token"), .gone),
            (400, FCMStandIn.error(400, "INVALID_ARGUMENT"), .refused("INVALID_ARGUMENT")),
            (403, FCMStandIn.error(403, "SENDER_ID_MISMATCH"), .refused("SENDER_ID_MISMATCH")),
            (429, FCMStandIn.error(429, "QUOTA_EXCEEDED"), .later(seconds: 60, "too many messages for this device")),
            (502, "<html>Bad Gateway</html>", .later(seconds: 10, "status 502")),
        ])
    func errors(status: Int, body: String, outcome: PushOutcome) async throws {
        fcm.script("x", [HTTP2Answer(status, body)])
        #expect(await send(.alert, "x") == outcome)
    }

    @Test(
        "A token of another project is an alarm only while the project accepts none, and says nothing of the credential"
    )
    func otherProject() async throws {
        let mismatch = HTTP2Answer(403, FCMStandIn.error(403, "SENDER_ID_MISMATCH"))
        fcm.script("x", [mismatch, mismatch, mismatch])
        #expect(await send(.alert, "x") == .refused("SENDER_ID_MISMATCH"))
        #expect(reports.alarms == [.misconfigured("SENDER_ID_MISMATCH")])
        _ = await send()
        for _ in 1...2 { #expect(await send(.alert, "x") == .refused("SENDER_ID_MISMATCH")) }
        #expect(reports.alarms == [.misconfigured("SENDER_ID_MISMATCH")])
        #expect(fcm.tokensIssued == 1)
    }

    @Test("A text that cannot be a token of FCM is none, for senders and for devices that register")
    func tokens() throws {
        let sender = PushSender(apns: nil, fcm: provider, webPush: nil)
        for (token, isOne) in [
            ("e5Hj9-_:APA91b.x", true), ("t", true), (String(repeating: "a", count: 4096), true), ("", false),
            (String(repeating: "a", count: 4097), false), ("é", false), ("a\nb", false), ("<script>", false),
            ("a b", false), ("a%0Ab", false), ("a;b", false), ("a/b", false),
        ] {
            #expect((sender.target(.android, token: token) != nil) == isOne, "\(token)")
            #expect((sender.target(.ios, token: token) != nil) == isOne, "\(token)")
        }
    }

    @Test("A pause that the provider asks for is kept")
    func retryAfter() async throws {
        fcm.script(
            "x",
            [HTTP2Answer(503, headers: [(name: "retry-after", value: "120")], FCMStandIn.error(503, "UNAVAILABLE"))])
        #expect(await send(.reply, "x") == .later(seconds: 120, "UNAVAILABLE"))
    }

    @Test("An account that Google refuses is an alarm, and rests")
    func refusedAccount() async throws {
        clock.advance(100)
        let (clock, reports) = (clock, reports)
        let account = ServiceAccount(
            project: "wallet-1", email: "a@example.com", keyID: "f00d", tokenURL: try fcm.tokenURL,
            try RSASecretKey(pem: Array(PublishedKeys.rsa.utf8)))
        var client = HTTPClient.Configuration()
        client.http2 = .priorKnowledge
        // A clock that is an hour off.
        let late = try FCMProvider(
            account: account, server: fcm.url, client: client,
            wallClock: { clock.now.adding(seconds: 3600) }, report: { reports.add($0) })
        let outcome = await late.send(PushFixture.message(), to: "t", .android)
        #expect(outcome == .later(seconds: 60, "invalid_grant"))
        #expect(reports.alarms == [.credential("invalid_grant")])
        #expect(fcm.refusals == ["iat"])
    }
}
