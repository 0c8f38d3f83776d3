import LightningCoding
import LightningCrypto
import OutboundHTTP
import Platform
import ResponderModel
import PushProviders
import Testing
import Waiting
@testable import Devices

@Suite("Pauses that providers ask for", .timeLimit(.minutes(5)))
struct ProviderPauseTests {
    private let time = ManualClock()
    private let reports = Reports()
    private static let busy = PushOutcome.later(seconds: 60, "too many messages for this device")

    private static func configuration() -> HTTPClient.Configuration {
        var client = HTTPClient.Configuration()
        client.http2 = .priorKnowledge
        return client
    }

    private func fcm() async throws -> (FCMStandIn, FCMProvider) {
        let key = try RSASecretKey(pem: Array(PublishedKeys.rsa.utf8))
        let fcm = try await FCMStandIn(key: key, project: "wallet-1", clock: { PushFixture.now })
        let account = ServiceAccount(
            project: "wallet-1", email: "a@example.com", keyID: "f00d", tokenURL: try fcm.tokenURL, key)
        let provider = try FCMProvider(
            account: account, server: fcm.url, client: Self.configuration(),
            wallClock: { PushFixture.now }, clock: time.clock)
        return (fcm, provider)
    }

    private func apns() async throws -> (APNsStandIn, APNsProvider) {
        let apns = try await APNsStandIn(
            key: PushFixture.key().publicKey, keyID: "ABC123DEFG", team: "DEF123GHIJ", topics: ["com.example.wallet"],
            clock: { PushFixture.now })
        let reports = reports
        let provider = APNsProvider(
            key: try APNsKey(id: "ABC123DEFG", team: "DEF123GHIJ", PushFixture.key()), topic: "com.example.wallet",
            servers: [.production: try apns.url], client: Self.configuration(),
            tokensIn: TokensInMemory(), wallClock: { PushFixture.now }, clock: time.clock, report: { reports.add($0) })
        return (apns, provider)
    }

    @Test("APNs is not asked again for a device that it wants no more messages for, for a minute; for others it is")
    func appleDevice() async throws {
        let (apns, provider) = try await apns()
        func send(_ token: String) async throws -> PushOutcome {
            await provider.send(
                PushFixture.message([:], .alert), to: try #require(APNsToken(token)), .production)
        }
        let (one, other) = (String(repeating: "ab", count: 32), String(repeating: "cd", count: 32))
        apns.script(one, [HTTP2Answer(429, #"{"reason":"TooManyRequests"}"#)])
        #expect(try await send(one) == Self.busy)
        time.advance(by: .milliseconds(59_500))
        #expect(try await send(one) == .paused(seconds: 1, "too many messages for this device"))
        #expect(apns.accepted.isEmpty)
        _ = try await send(other)
        #expect(apns.accepted.map(\.token) == [other])
        time.advance(by: .milliseconds(500))
        _ = try await send(one)
        #expect(apns.accepted.map(\.token) == [other, one])
    }

    @Test("FCM is not asked again for a device while it asks for a pause; others are sent to")
    func device() async throws {
        let (fcm, provider) = try await fcm()
        fcm.script("x", [HTTP2Answer(429, FCMStandIn.error(429, "QUOTA_EXCEEDED"))])
        #expect(await provider.send(PushFixture.message(), to: "x", .android) == Self.busy)
        #expect(
            await provider.send(PushFixture.message(), to: "x", .android)
                == .paused(seconds: 60, "too many messages for this device"))
        #expect(fcm.messages.isEmpty)
        #expect(
            await provider.send(PushFixture.message(), to: "y", .android)
                == .accepted(id: "projects/wallet-1/messages/1"))
        time.advance(by: .seconds(60))
        #expect(
            await provider.send(PushFixture.message(), to: "x", .android)
                == .accepted(id: "projects/wallet-1/messages/2"))
    }

    @Test("When the whole project has sent too much, FCM is not asked for any device until the pause has ended")
    func project() async throws {
        let (fcm, provider) = try await fcm()
        let limit = #"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"RATE_LIMIT_EXCEEDED"}"#
        fcm.script(
            "x",
            [
                HTTP2Answer(
                    429, headers: [(name: "retry-after", value: "20")],
                    #"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[\#(limit)]}}"#)
            ])
        let reason = "the provider limits the rate of this project"
        #expect(
            await provider.send(PushFixture.message(), to: "x", .android) == .later(seconds: 20, reason))
        #expect(
            await provider.send(PushFixture.message(), to: "y", .android) == .paused(seconds: 20, reason))
        #expect(fcm.messages.isEmpty)
        time.advance(by: .seconds(20))
        #expect(
            await provider.send(PushFixture.message(), to: "y", .android)
                == .accepted(id: "projects/wallet-1/messages/1"))
    }

    @Test("When FCM fails and names the seconds to wait, it is not asked for any device until they have passed")
    func outage() async throws {
        let (fcm, provider) = try await fcm()
        fcm.script("x", [HTTP2Answer(503, headers: [(name: "retry-after", value: "20")], "")])
        #expect(
            await provider.send(PushFixture.message(), to: "x", .android) == .later(seconds: 20, "status 503"))
        for seconds in [20, 1] as [UInt64] {
            #expect(
                await provider.send(PushFixture.message(), to: "y", .android)
                    == .paused(
                        seconds: seconds, "the provider limits the rate of this project"))
            time.advance(by: .seconds(19))
        }
        #expect(
            await provider.send(PushFixture.message(), to: "y", .android)
                == .accepted(id: "projects/wallet-1/messages/1"))
    }

    @Test(
        "A push service is not asked again for a subscription while it asks for a pause",
        arguments: [(429, "too many messages for this device"), (503, "status 503")])
    func web(status: Int, reason: String) async throws {
        let key = try VAPIDKey(PushFixture.key(), contact: "mailto:push@example.com")
        let service = try WebPushStandIn(
            subscriber: P256SecretKey([UInt8](repeating: 3, count: 32)), secret: [UInt8](repeating: 7, count: 16),
            senderKey: key.publicText, clock: { PushFixture.now })
        let provider = try WebPushProvider(
            key, client: HTTPClient.Configuration(), wallClock: { PushFixture.now }, clock: time.clock)
        service.script(status, headers: ["Retry-After: 30"])
        #expect(
            await provider.send(PushFixture.message(), to: try service.subscription) == .later(seconds: 30, reason))
        #expect(
            await provider.send(PushFixture.message(), to: try service.subscription) == .paused(seconds: 30, reason))
        #expect(service.messages.isEmpty)
        time.advance(by: .seconds(30))
        #expect(await provider.send(PushFixture.message(), to: try service.subscription) == .accepted(id: "/m/1"))
    }

    @Test("Unknown tokens of strangers do not keep those of registered devices from being dropped")
    func strangers() async throws {
        let (apns, provider) = try await apns()
        let token = try #require(APNsToken(String(repeating: "ab", count: 32)))
        apns.script(Array(repeating: HTTP2Answer(400, #"{"reason":"BadDeviceToken"}"#), count: 7))
        for _ in 0..<6 { _ = await provider.send(PushFixture.message([:], .alert), to: token, .production) }
        #expect(reports.alarms == [.manyBadTokens])
        #expect(
            await provider.send(
                PushFixture.message([:], .alert), to: token, .production, registeredAt: PushFixture.now) == .gone
        )
    }

    @Test("A token of another app is an alarm, and its message waits for the operator, only while APNs accepts none")
    func otherApp() async throws {
        let (apns, provider) = try await apns()
        func send(_ token: String) async throws -> PushOutcome {
            await provider.send(PushFixture.message([:], .alert), to: try #require(APNsToken(token)), nil)
        }
        let (ours, other) = (String(repeating: "ab", count: 32), String(repeating: "cd", count: 32))
        let reason = "DeviceTokenNotForTopic"
        apns.script(other, Array(repeating: HTTP2Answer(400, #"{"reason":"\#(reason)"}"#), count: 4))
        #expect(try await send(other) == .parked(reason))
        #expect(reports.alarms == [.misconfigured(reason)])
        _ = try await send(ours)
        #expect(apns.accepted.map(\.token) == [ours])
        #expect(try await send(other) == .refused(reason))
        time.advance(by: .seconds(3_599))
        #expect(try await send(other) == .refused(reason))
        #expect(reports.alarms == [.misconfigured(reason)])
        time.advance(by: .seconds(1))
        #expect(try await send(other) == .parked(reason))
        #expect(reports.alarms == [.misconfigured(reason), .misconfigured(reason)])
    }

    @Test("What the operator alone can cause stays an alarm, whatever was accepted")
    func otherTopic() {
        var last = LastAcceptance()
        let now = time.clock.now()
        _ = last.noted(.accepted(id: nil), at: now)
        for reason in ["BadTopic", "MissingTopic", "TopicDisallowed", "THIRD_PARTY_AUTH_ERROR"] {
            let verdict = last.noted(.misconfigured(reason), at: now)
            #expect(verdict == .misconfigured(reason))
        }
    }
}

@Suite("What says something of the credential, or of who answers", .timeLimit(.minutes(5)))
struct VerdictTests {
    @Test("Only what refuses the credential keeps the next request on the connection alone")
    func credentials() {
        func fcm(_ status: Int, _ code: String) -> PushVerdict {
            .fcm(status: status, body: Array(FCMStandIn.error(status, code).utf8))
        }
        #expect(!fcm(403, "SENDER_ID_MISMATCH").refusesCredential)
        #expect(!fcm(401, "THIRD_PARTY_AUTH_ERROR").refusesCredential)
        #expect(!fcm(404, "UNREGISTERED").refusesCredential)
        #expect(fcm(403, "PERMISSION_DENIED").refusesCredential)
        #expect(fcm(401, "UNAUTHENTICATED").refusesCredential)
        func apns(_ status: Int, _ reason: String) -> PushVerdict {
            .apns(status: status, body: Array(#"{"reason":"\#(reason)"}"#.utf8))
        }
        #expect(apns(403, "InvalidProviderToken").refusesCredential)
        #expect(apns(403, "ExpiredProviderToken").refusesCredential)
        #expect(!apns(400, "BadDeviceToken").refusesCredential)
    }

    @Test(
        "A certificate that is not trusted is told apart from a failure, and a provider has eight seconds, once: who asks waits ten"
    )
    func faults() {
        #expect(PushVerdict(OutboundFault.tls(.expired)) == .untrusted(CertificateFault.expired.reason))
        let unanswered = PushVerdict(OutboundFault.timeout(requestSent: true))
        #expect(unanswered == .unanswered("no answer in time"))
        #expect(ProviderRoute.timeout == .seconds(8))
        var attempt = PushAttempt(.reply)
        #expect(!attempt.on(unanswered).contains(.sendAgain))
    }
}

@Suite("What push services say of our key", .timeLimit(.minutes(5)))
struct VAPIDTests {
    private let reports = Reports()

    /// A push service, and a provider whose clock is ahead of the service's by some seconds.
    private func service(at now: UnixTime, aheadBy seconds: UInt64 = 0) throws -> (WebPushStandIn, WebPushProvider) {
        let key = try VAPIDKey(PushFixture.key(), contact: "mailto:push@example.com")
        let service = try WebPushStandIn(
            subscriber: P256SecretKey([UInt8](repeating: 3, count: 32)), secret: [UInt8](repeating: 7, count: 16),
            senderKey: key.publicText, clock: { UnixTime(now.seconds - seconds) })
        let reports = reports
        let provider = try WebPushProvider(
            key, client: HTTPClient.Configuration(), wallClock: { now }, report: { reports.add($0) })
        return (service, provider)
    }

    @Test("A service whose clock is late accepts a token of this moment")
    func lateService() async throws {
        let (service, provider) = try service(at: VAPIDKey.moment(at: PushFixture.now), aheadBy: 600)
        #expect(await provider.send(PushFixture.message(), to: try service.subscription) == .accepted(id: "/m/1"))
        #expect(service.refusals == [])
    }

    @Test(
        "A message that a service does not authorize is retried for a registered device only, and no service alone is an alarm"
    )
    func unauthorized() async throws {
        let (service, provider) = try service(at: PushFixture.now)
        let first = try service.subscription
        func send(_ number: Int, registeredAt: UnixTime?) async throws -> PushOutcome {
            service.script(number % 2 == 0 ? 401 : 403)
            let endpoint = try HTTPURL(first.endpoint.text + String(number))
            return await provider.send(
                PushFixture.message([:], .alert),
                to: try PushSubscription(endpoint: endpoint, key: first.key, secret: first.secret),
                registeredAt: registeredAt)
        }
        for number in 1...6 {
            let status = number % 2 == 0 ? 401 : 403
            #expect(try await send(number, registeredAt: nil) == .refused("status \(status)"))
            #expect(
                try await send(number, registeredAt: PushFixture.now) == .later(seconds: 60, "status \(status)"))
        }
        #expect(reports.alarms == [])
    }

    @Test("Three services that refuse our key within ten minutes are an alarm, once; fewer are none")
    func watch() {
        let time = ManualClock()
        var watch = UnauthorizedWatch()
        func count(_ host: String) -> Bool { watch.count(host, at: time.clock.now()) }
        for host in ["a", "b", "a", "b", "b"] { #expect(!count(host)) }
        time.advance(by: .seconds(600))
        #expect(!count("c") && !count("a"))
        #expect(count("b"))
        #expect(!count("d") && !count("b"))
    }

    @Test("While one service accepts our key, others that refuse it are no alarm: anybody can run three")
    func accepted() {
        let time = ManualClock()
        var watch = UnauthorizedWatch()
        func told() -> [Bool] { ["a", "b", "c", "d"].map { watch.count($0, at: time.clock.now()) } }
        watch.noteAcceptance(at: time.clock.now())
        #expect(!told().contains(true))
        time.advance(by: .seconds(3599))
        #expect(!told().contains(true))
        time.advance(by: .seconds(1))
        #expect(told() == [true, false, false, false])
    }
}
