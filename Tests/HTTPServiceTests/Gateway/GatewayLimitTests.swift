import HTTPTypes
import LightningCoding
import struct OutboundHTTP.HostSuffix
import Platform
import Registrations
import ResponderCore
import ResponderModel
import Testing
import Waiting
@testable import HTTPService

@Suite("Limits of app users' payers, wallets and devices", .timeLimit(.minutes(5)))
struct GatewayLimitTests {
    private static let tooOften = PayerFault.tooOften(retryAfter: 1).reason

    /// Sends requests over one connection: the method, the path and a body.
    private func answers(
        of phone: Phone, _ rates: ServiceRates, to requests: [(HTTPRequest.Method, String, String)]
    ) async throws -> [String] {
        var answers: [String] = []
        try await RunningService.with(
            rates: rates, others: phone.fixture.users.responder, existing: phone.fixture.service,
            gateway: phone.fixture.gateway
        ) { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            for (method, path, body) in requests {
                connection.send(
                    "\(method) \(path) HTTP/1.1\r\nHost: example.com\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                answers.append(try await connection.response())
            }
        }
        return answers
    }

    @Test("One network asks devices so often a minute, whomever and whatever it asks; accounts are not counted")
    func devices() async throws {
        let phone = try await Phone.registered()
        try await phone.fixture.service.put("alice", AccountSettings(description: "x", backend: .embedded))
        let key = phone.device.publicKey
        for path in [
            "/lnurlp/phone", "/lnurlp/nobody", "/lnurlpay/phone/invoice?amount=1000",
            "/lnurlpay/phone/1/\(key.dropLast(2))",
            "/lnurlp/\(key)", "/lnurlpay/\(key)/invoice?amount=1000", "/lnurlpay/\(key)/1/\(key.dropLast(2))",
        ] {
            let found = try await answers(
                of: phone, ServiceRates([.device: RateLimit(perMinute: 2)]),
                to: [
                    (.get, "/lnurlp/alice", ""), (.get, path, ""), (.get, "/lnurlp/nobody", ""), (.get, path, ""),
                    (.get, "/lnurlp/alice", ""),
                ])
            #expect(found.map { $0.contains(Self.tooOften) } == [false, false, false, true, false], "\(path)")
        }
    }

    @Test("Payers who wait leave connections for the devices' replies; the next payer is told so at once")
    func connections() async throws {
        let fixture = try await GatewayFixture(
            policy: ReplyPolicy(allowedHosts: [try #require(HostSuffix("wallet.example"))], allowsLoopback: true))
        let phones = try (1...3 as ClosedRange<UInt8>).map { try Phone(fixture, number: $0) }
        for (number, phone) in phones.enumerated() {
            phone.device.behavior.withLock { $0 = .silent }
            try await fixture.register(phone.device, as: "phone\(number)")
        }
        var limits = ServiceLimits()
        limits.connections = 4
        let rates = ServiceRates(trustedProxies: [try #require(NetworkPrefix("127.0.0.1"))])
        try await RunningService.with(
            limits: limits, rates: rates, others: fixture.users.responder, existing: fixture.service,
            gateway: fixture.gateway
        ) { _, payers, _, _ in
            func ask(_ number: Int, from client: Int, on connection: RawConnection) {
                connection.send(
                    """
                    GET /lnurlpay/phone\(number)/invoice?amount=1000 HTTP/1.1\r\nHost: example.com\r\n\
                    X-Forwarded-For: 192.0.2.\(client)\r\n\r\n
                    """)
            }
            var waiting: [RawConnection] = []
            for number in 0..<2 {
                waiting.append(try RawConnection(to: payers))
                ask(number, from: number, on: waiting[number])
            }
            try await eventually { fixture.gateway.channel.waiting.payers == 2 }
            waiting.append(try RawConnection(to: payers))
            let last = try RawConnection(to: payers)
            // Neither another payer of the same network or device, nor the same payer again.
            for (number, client, refusal) in [(2, 1, DeviceRefusal.full), (1, 2, .busy), (1, 1, .full)] {
                ask(number, from: client, on: last)
                #expect(try await last.response().contains(refusal.reason))
            }
            ask(2, from: 2, on: waiting[2])
            try await eventually { fixture.gateway.channel.waiting.payers == 3 }
            ask(0, from: 9, on: last)
            #expect(try await last.response().contains(DeviceRefusal.full.reason))
            let url = try #require(try await phones[0].device.question(0)["data"]?["reply_url"]?.string)
            let reply = #"{"pr":"\#(try phones[0].device.invoice(Millisatoshi(1000)))"}"#
            last.send(
                "POST \(try HTTPURL(url).path) HTTP/1.1\r\nHost: example.com\r\nContent-Length: \(reply.utf8.count)\r\n\r\n\(reply)"
            )
            #expect(try await last.response().hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(try await waiting[0].response().contains("lnbcrt"))
        }
    }

    @Test(
        "A payer who closes the connection, resets it, or closes its side of it, gives its place back at once; its question counts for its network, unless a tunnel ends on this machine",
        arguments: [(["127.0.0.1"], 3), ([], 5)])
    func hangingUp(behind proxies: [String], share: Int) async throws {
        let phone = try await Phone.registered(monotonic: ManualClock().clock)
        phone.device.behavior.withLock { $0 = .silent }
        let (channel, slots) = (phone.fixture.gateway.channel, phone.fixture.service.slots)
        let rates = ServiceRates(trustedProxies: proxies.compactMap { NetworkPrefix($0) })
        try await RunningService.with(
            rates: rates, others: phone.fixture.users.responder, existing: phone.fixture.service,
            gateway: phone.fixture.gateway
        ) { _, payers, _, _ in
            func ask(_ path: String) throws -> RawConnection {
                let connection = try RawConnection(to: payers)
                connection.send(
                    "GET \(path) HTTP/1.1\r\nHost: example.com\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n")
                return connection
            }
            for round in 1...share {
                let connection = try ask("/lnurlpay/phone/invoice?amount=\(1000 * round)")
                try await eventually { channel.waiting == (1, round) }
                #expect(slots.count == 1)
                switch round {
                case 1: connection.close()
                case 2: connection.finishSending()
                default: connection.reset()
                }
                try await eventually { channel.waiting == (0, round) && slots.count == 0 }
                if round == 2 { #expect(try await connection.readToEnd().contains(DeviceRefusal.left.reason)) }
            }
            let next = try ask("/lnurlpay/phone/invoice?amount=4000")
            #expect(try await next.response().contains(DeviceRefusal.busy.reason))
            let last = try ask("/lnurlp/phone")
            try await eventually { channel.waiting == (1, share + 1) }
            last.close()
            try await eventually { channel.waiting == (0, share + 1) && slots.count == 0 }
        }
    }

    @Test(
        "A quarter of the connections, up to 512, is not for those who wait",
        arguments: [(1, 1), (4, 3), (2_048, 1_536), (4_096, 3_584), (11_000, 10_488)])
    func slots(connections: Int, waiting: Int) {
        #expect(ServiceLimits(connections: connections).waiting == waiting)
    }

    @Test("An invoice that is asked for by the key counts for the name")
    func accounts() async throws {
        let phone = try await Phone.registered(rates: ServiceRates(account: RateLimit(perMinute: 2)))
        for (name, isAdmitted) in [
            ("phone", true), (phone.device.publicKey, true), (phone.device.publicKey, false), ("phone", false),
        ] {
            let answer = try await phone.fixture.ask("/lnurlpay/\(name)/invoice?amount=1000")
            #expect((answer.reason != Self.tooOften) == isAdmitted)
        }
    }

    @Test("A payer who knows the key and one who knows the name share the question for the limits")
    func oneInfo() async throws {
        let phone = try await Phone.registered()
        phone.device.behavior.withLock { $0 = .silent }
        let channel = phone.fixture.gateway.channel
        async let one = phone.fixture.ask("/lnurlp/phone")
        async let two = phone.fixture.ask("/lnurlp/\(phone.device.publicKey)")
        try await eventually { channel.waiting == (2, 1) }
        await channel.replies.stop()
        _ = try await (one, two)
    }

    @Test("Who has guessed too many reply ids is not heard any more, but for the right one")
    func guesses() async throws {
        let phone = try await Phone.registered()
        phone.device.behavior.withLock { $0 = .silent }
        async let asked = phone.fixture.ask("/lnurlp/phone")
        let url = try #require(try await phone.device.question(0)["data"]?["reply_url"]?.string)
        let found = try await answers(
            of: phone, ServiceRates([.unknownReply: RateLimit(perMinute: 2)]),
            to: [
                (.post, "/response/abc", ""), (.post, "/response/1", "{}"), (.post, "/response/2", "{}"),
                (.post, "/response/3", "{}"), (.post, try HTTPURL(url).path, "{}"),
                (.post, try HTTPURL(url).path, "{}"),
            ])
        #expect(found.map { $0.dropFirst(9).prefix(3) } == ["400", "500", "500", "429", "200", "429"])
        #expect(found[3].contains("Retry-After: 30\r\n"))
        #expect(try await asked.reason == DeviceRefusal.unusable.reason)
    }

    @Test("Who has guessed too many reply ids is refused before the body comes")
    func guessedBodies() async throws {
        let phone = try await Phone.registered()
        try await RunningService.with(
            rates: ServiceRates([.unknownReply: RateLimit(perMinute: 1)]), others: phone.fixture.users.responder,
            existing: phone.fixture.service, gateway: phone.fixture.gateway
        ) { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            connection.send("POST /response/1 HTTP/1.1\r\nHost: example.com\r\nContent-Length: 2\r\n\r\n{}")
            #expect(try await connection.response().hasPrefix("HTTP/1.1 500 "))
            connection.send("POST /response/2 HTTP/1.1\r\nHost: example.com\r\nContent-Length: 60000\r\n\r\n")
            #expect(try await connection.response().hasPrefix("HTTP/1.1 429 "))
        }
    }

    @Test("What wallets read, renew or are refused does not count as a change")
    func registrations() async throws {
        let phone = try Phone(try await GatewayFixture())
        let time = Int64(phone.fixture.service.clock.now.seconds)
        func register(_ name: String, after seconds: Int64, isSigned: Bool = true) throws -> String {
            try phone.device.registration(name, time: time + seconds, isSigned: isSigned).serialized()
        }
        let key = phone.device.publicKey
        let found = try await answers(
            of: phone,
            ServiceRates([.registration: RateLimit(perMinute: 2), .registrationRead: RateLimit(perMinute: 9)]),
            to: [
                (.post, "/lnurlpay/\(key)", try register("phone", after: 0, isSigned: false)),
                (.post, "/lnurlpay/\(key)", "{}"),
                (.post, "/lnurlpay/\(key)", try register("phone", after: 0)),
                (.post, "/lnurlpay/\(key)", try register("phone", after: 0)),
                (.post, "/lnurlpay/\(key)", try register("phone", after: 1)),
                (.post, "/lnurlpay/\(key)", try register("other", after: 2)),
                (.post, "/lnurlpay/\(key)", "{}"), (.delete, "/bolt12offer/\(key)", "{}"),
                (.post, "/lnurlpay/\(key)/recover", "{}"), (.post, "/lnurlpay/\(key)/recover", "{}"),
            ])
        #expect(
            found.map { $0.dropFirst(9).prefix(3) } == [
                "401", "401", "200", "200", "200", "200", "429", "429", "401", "429",
            ])
        for number in [6, 7, 9] { #expect(found[number].hasSuffix("\r\n\r\ntoo many requests\n")) }
    }
}
