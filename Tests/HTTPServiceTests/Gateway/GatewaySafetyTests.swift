import LedgerRecords
import HTTPTypes
import LightningCoding
import LightningCrypto
import LoopbackServer
import OutboundHTTP
import Platform
import Registrations
import ResponderCore
import ResponderModel
import SQLiteLedger
import ServiceLifecycle
import Testing
import Waiting
@testable import HTTPService

@Suite("Hostile webhooks, wallets and devices", .timeLimit(.minutes(5)))
struct GatewaySafetyTests {
    @Test(
        "A webhook whose host has a private address when it is called is not called, whatever it had before",
        arguments: [
            ["127.0.0.1"], ["93.184.215.14", "127.0.0.1"], ["10.0.0.1"], ["169.254.169.254"], ["::1"], ["fd00::1"],
        ])
    func rebinding(addresses: [String]) async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer("") }
        var calls = HTTPClient.Configuration()
        calls.connectTimeout = .milliseconds(500)
        calls.pinnedHosts = [
            try #require(PinnedHost(host: "wallet.example", port: server.port, addresses: addresses))
        ]
        let fixture = try await GatewayFixture(policy: ReplyPolicy(allowedPorts: [server.port]), calls: calls)
        let phone = try Phone(fixture)
        let webhook = "https://wallet.example:\(server.port)/"
        #expect(try await fixture.register(phone.device, as: "phone", webhook: webhook).status == 200)
        #expect(try await fixture.ask("/lnurlp/phone").reason == DeviceRefusal.unreachable.reason)
        #expect(server.connections == 0)
    }

    @Test("Of ten thousand names that one network asks for, as many are registered as it has in an hour")
    func manyNames() async throws {
        let fixture = try await GatewayFixture()
        let rates = ServiceRates([.registration: RateLimit(burst: 20, interval: .seconds(180))])
        try await RunningService.with(rates: rates, existing: fixture.service, gateway: fixture.gateway) {
            service, payers, _, _ in
            let statuses = Guarded<[String: Int]>([:])
            await withTaskGroup(of: Void.self) { group in
                for connection in UInt64(0)..<10 {
                    group.addTask {
                        await Self.register(1_000 * connection..<1_000 * (connection + 1), at: payers, service) {
                            status in statuses.withLock { $0[status, default: 0] += 1 }
                        }
                    }
                }
            }
            #expect(statuses.withLock { $0 } == ["200": 20, "429": 9_980])
            let registered = try await service.ledger.registrations(RegistrationQuery())
            #expect(registered.elements.count == 20)
        }
    }

    /// Registers wallets over one connection. Behind the first hundred no statement is valid: nobody may read them.
    private static func register(
        _ numbers: Range<UInt64>, at payers: ListenAddress, _ service: TestService, _ note: (String) -> Void
    ) async {
        guard let connection = try? RawConnection(to: payers) else { return note("none") }
        for number in numbers {
            guard let device = try? TestDevice(key: number + 1),
                let body = try? device.registration(
                    "name\(number)", webhook: "http://127.0.0.1:9/", time: Int64(service.clock.now.seconds),
                    isSigned: number % 1_000 < 100)
            else { return note("none") }
            let text = body.serialized()
            connection.send(
                """
                POST /lnurlpay/\(device.publicKey) HTTP/1.1\r\nHost: example.com\r\n\
                Content-Length: \(text.utf8.count)\r\n\r\n\(text)
                """)
            guard let answer = try? await connection.response() else { return note("none") }
            note(String(answer.dropFirst("HTTP/1.1 ".count).prefix(3)))
        }
    }

    @Test(
        "When the service stops all who wait are told to come again, and after a restart no old reply reaches anybody")
    func restart() async throws {
        let fixture = try await GatewayFixture()
        let phones = try (1...4 as ClosedRange<UInt8>).map { try Phone(fixture, number: $0) }
        for (number, phone) in phones.enumerated() {
            phone.device.behavior.withLock { $0 = .silent }
            #expect(try await fixture.register(phone.device, as: "phone\(number)").status == 200)
        }
        try await RunningService.with(
            others: fixture.users.responder, existing: fixture.service, gateway: fixture.gateway
        ) { _, payers, _, group in
            let waiting = try (0..<12).map { number in
                let connection = try RawConnection(to: payers)
                connection.send(
                    "GET /lnurlpay/phone\(number % 4)/invoice?amount=1000 HTTP/1.1\r\nHost: example.com\r\n\r\n")
                return connection
            }
            try await eventually { fixture.gateway.channel.waiting.payers == 12 }
            await group.triggerGracefulShutdown()
            for connection in waiting {
                let answer = try await connection.readToEnd()
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.contains(DeviceRefusal.stopping.reason))
            }
        }
        let old = try phones[0].device.questions.map { question in
            try HTTPURL(try #require(question["data"]?["reply_url"]?.string)).path
        }
        #expect(old.count == 3)
        let restarted = try await GatewayFixture(on: fixture.service)
        async let answer = restarted.ask("/lnurlpay/phone0/invoice?amount=1000")
        let question = try await phones[0].device.question(3)
        let reply = #"{"pr":"\#(try phones[0].device.invoice(Millisatoshi(1000)))"}"#
        for path in old {
            let refused = try await restarted.ask(path, .post, body: reply)
            #expect(refused.status == 500 && refused.body == "unknown request id\n")
        }
        #expect(restarted.gateway.channel.waiting.payers == 1)
        let path = try HTTPURL(try #require(question["data"]?["reply_url"]?.string)).path
        #expect(try await restarted.ask(path, .post, body: reply).status == 200)
        #expect(try await answer.json()["pr"] != nil)
    }

    @Test(
        "Of ten thousand payers at once those of one network, one webhook's host or one registration wait in its share, and the others are told so",
        arguments: [("network", 448, DeviceRefusal.full), ("host", 1_792, .busy), ("registration", 179, .busy)])
    func crowd(of whom: String, share: Int, refusal: DeviceRefusal) async throws {
        let fixture = try await GatewayFixture { _, _, _, _ in .init(status: 200, body: []) }
        let (channel, domain) = (fixture.gateway.channel, fixture.domain.name)
        let url = try HTTPURL("https://example.com/lnurlpay/phone/invoice")
        let keys = try (1...200 as ClosedRange<UInt8>).map {
            try SecretKey([UInt8](repeating: $0, count: 32)).publicKey
        }
        @Sendable func ask(_ number: Int) async -> DeviceRefusal? {
            func another(_ what: String, _ count: Int) -> Int { whom == what ? 0 : number % count }
            do {
                let address = IPAddress.v4(0x0A00_0000 + UInt32(another("network", 1 << 24)))
                let host = "h\(another("host", 10_000)).example"
                let registration = Registration(
                    id: RegistrationID(keys[another("registration", keys.count)], at: domain),
                    webhook: try WebhookURL("https://\(host)/"), createdAt: UnixTime(0), refreshedAt: UnixTime(0),
                    version: 1)
                _ = try await channel.answer(
                    to: .info(callback: url), by: registration, replyBase: url,
                    for: Payer(from: ClientNetwork(address)))
                return nil
            } catch {
                return error as? DeviceRefusal
            }
        }
        let refused = Guarded(0)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<10_000 {
                group.addTask {
                    let outcome = await ask(number)
                    refused.withLock { $0 += outcome == refusal ? 1 : 0 }
                }
            }
            try? await eventually { refused.withLock { $0 } == 10_000 - share }
            #expect(channel.waiting.payers == share && fixture.service.slots.count == share)
            await channel.replies.stop()
        }
        #expect(fixture.service.slots.count == 0)
    }
}
