@testable import Devices
import HTTPTypes
import LightningCoding
import LightningCrypto
import Platform
import Testing
import Waiting
@testable import HTTPService

@Suite("Rate limits of devices", .timeLimit(.minutes(5)))
struct DeviceRateTests {
    private let clock = ManualClock()
    private let fixture: DeviceFixture

    init() async throws {
        fixture = try await DeviceFixture()
    }

    /// Each limit has an interval of its own, by which it is known.
    private func running(_ body: (Client) async throws -> Void) async throws {
        let rates = ServiceRates(
            [
                .notification: RateLimit(burst: 1, interval: .seconds(13)),
                .registration: RateLimit(burst: 1, interval: .seconds(11)),
                .registrationRead: RateLimit(burst: 1, interval: .seconds(7)),
            ], trustedProxies: ["127.0.0.0/8"].compactMap { NetworkPrefix($0) })
        let pages = NotificationPages(
            fixture.center, at: try HTTPURL("https://example.com"), key: SecretBytes([4]),
            slots: fixture.service.slots,
            sharedRates: nil)
        try await RunningService.with(
            rates: rates, monotonic: clock.clock, existing: fixture.service, features: [pages, fixture.sender]
        ) { _, payers, _, _ in try await body(Client(address: payers)) }
    }

    /// Asks over the network, as clients behind a proxy.
    private struct Client {
        let address: ListenAddress

        func ask(_ request: String, from client: Int) async throws -> Reply {
            let connection = try RawConnection(to: address)
            connection.send(
                """
                \(request) HTTP/1.1\r\nHost: example.com\r\nX-Forwarded-For: 192.0.2.\(client)\r\n\
                Content-Length: 2\r\nConnection: close\r\n\r\n{}
                """)
            let lines = try await connection.readToEnd().split(separator: "\r\n")
            let wait = lines.first { $0.lowercased().hasPrefix("retry-after: ") }
            return Reply(
                status: lines.first.flatMap { $0.split(separator: " ").dropFirst().first.map { String($0) } },
                wait: wait.map { String($0.dropFirst("retry-after: ".count)) })
        }
    }

    /// The status, and the seconds to wait for a client that must.
    private struct Reply: Equatable {
        let status: String?
        let wait: String?
    }

    private static let reads = [
        "GET /v1/info", "GET /v1/notifications", "GET /v1/notifications/unread", "PATCH /v1/notifications",
        "DELETE /v1/notifications/m1", "GET /v1/notifications/stream", "GET /v1/pending", "POST /v1/deliveries",
        "POST /v1/acks", "POST /v1/links", "GET /v1/preferences", "PUT /v1/preferences", "DELETE /v1/devices/phone",
    ]
    private static let registration = "PUT /v1/devices/phone"
    private static let wake = "POST /v1/wakes?token=wkh_x"

    @Test("Above its limit every route for devices answers 429 with the seconds to wait, to that client only")
    func routes() async throws {
        let limits = (Self.reads + [Self.registration]).map { ($0, "7") } + [(Self.wake, "13")]
        try await running { http in
            for (client, (request, seconds)) in zip(1..., limits) {
                let (first, second) = (
                    try await http.ask(request, from: client), try await http.ask(request, from: client)
                )
                #expect(first.status != "429" && first.wait == nil, "\(request)")
                #expect(second == Reply(status: "429", wait: seconds), "\(request)")
                let other = try await http.ask(request, from: 100 + client)
                #expect(other == first, "\(request)")
            }
        }
    }

    @Test(
        "Reading and ordering wakes do not use up each other's share; a registration that nobody has signed is a read")
    func shares() async throws {
        let routes = Self.reads + [Self.registration, Self.wake]
        try await running { http in
            for request in ["GET /v1/pending", Self.wake] {
                let reply = try await http.ask(request, from: 1)
                #expect(reply.status != "429", "\(request)")
            }
            for request in routes {
                let reply = try await http.ask(request, from: 1)
                #expect(reply.status == "429", "\(request)")
            }
        }
    }

    @Test(
        "What is renewed or not signed uses up nobody's share; changes count for the owner, first devices for the network"
    )
    func registrations() async throws {
        let rates = ServiceRates([
            .registration: RateLimit(burst: 2, interval: .seconds(3_600)),
            .registrationRead: RateLimit(burst: 30, interval: .seconds(3_600)),
        ])
        let fixture = try await DeviceFixture(rates: rates)
        let wallets = try (1...4 as ClosedRange<UInt8>).map { try SecretKey([UInt8](repeating: $0, count: 32)) }
        let secrets = try (0..<4).map { _ in try DeviceSecret(random: SystemRandom.bytes) }
        func body(_ number: Int, _ digit: Character) throws -> JSONValue {
            try fixture.registration(
                "phone", secret: secrets[number], token: DeviceFixture.token(digit), by: wallets[number])
        }
        func put(_ body: JSONValue) async throws -> Int {
            try await fixture.ask(.put, "/v1/devices/phone", body, from: "192.0.2.1").status
        }
        let phones = try [body(0, "a"), body(1, "b")]
        for phone in phones { #expect(try await put(phone) == 200) }
        // The network has had its share of first devices.
        #expect(try await put(body(2, "c")) == 429)
        for _ in 1...31 { _ = try await put([:]) }
        #expect(try await put([:]) == 429)
        for _ in 1...12 {
            for phone in phones { #expect(try await put(phone) == 200) }
        }
        #expect(try await put(body(0, "a")) == 200)
        for digit in ["d", "e"] as [Character] { #expect(try await put(body(0, digit)) == 200) }
        #expect(try await put(body(0, "f")) == 429)
        #expect(try await put(body(1, "f")) == 200)
    }

    @Test(
        "Strangers who sign first devices beyond their share are refused like those who sign nothing; owners are heard")
    func strangers() async throws {
        let rates = ServiceRates([
            .registration: RateLimit(burst: 1, interval: .seconds(3_600)),
            .registrationRead: RateLimit(burst: 5, interval: .seconds(3_600)),
        ])
        let fixture = try await DeviceFixture(rates: rates)
        func put(_ number: UInt8) async throws -> Int {
            let body = try fixture.registration(
                "phone", secret: DeviceSecret(random: SystemRandom.bytes), token: DeviceFixture.token("a"),
                by: SecretKey([UInt8](repeating: number, count: 32)))
            return try await fixture.ask(.put, "/v1/devices/phone", body, from: "192.0.2.1").status
        }
        let secret = try DeviceSecret(random: SystemRandom.bytes)
        let own = try fixture.registration("phone", secret: secret, token: DeviceFixture.token("b"))
        #expect(try await fixture.ask(.put, "/v1/devices/phone", own, from: "192.0.2.1").status == 200)
        func isCrowded() async throws -> Bool {
            try await fixture.ask(.get, "/v1/info", from: "192.0.2.1").status == 429
        }
        for number in 1...5 as ClosedRange<UInt8> { #expect(try await put(number) == 429) }
        #expect(try await isCrowded())
        #expect(try await fixture.ask(.put, "/v1/devices/phone", own, from: "192.0.2.1").status == 200)
        #expect(try await put(6) == 429)
    }

    @Test("Strangers with wrong secrets use up no share of the devices behind their address; each owner has its own")
    func secrets() async throws {
        let rates = ServiceRates([.registrationRead: RateLimit(burst: 5, interval: .seconds(3_600))])
        let fixture = try await DeviceFixture(rates: rates)
        let wallets = try (1...2 as ClosedRange<UInt8>).map { try SecretKey([UInt8](repeating: $0, count: 32)) }
        let phones = [
            try await fixture.phone("one", "a", by: wallets[0]), try await fixture.phone("two", "b", by: wallets[1]),
        ]
        func read(by secret: DeviceSecret, from peer: String = "192.0.2.1") async throws -> Int {
            try await fixture.ask(.get, "/v1/notifications/unread", by: secret, from: peer).status
        }
        let wrong = try DeviceSecret(random: SystemRandom.bytes)
        for _ in 1...5 { #expect(try await read(by: wrong) == 401) }
        #expect(try await read(by: wrong) == 429)
        for _ in 1...5 { #expect(try await read(by: phones[0].secret) == 200) }
        for peer in ["192.0.2.1", "192.0.2.2"] { #expect(try await read(by: phones[0].secret, from: peer) == 429) }
        #expect(try await read(by: phones[1].secret) == 200)
        #expect(try await read(by: wrong, from: "192.0.2.2") == 401)
    }

    @Test("All owners in one network ask sixteen times as often as one of them at the most")
    func owners() async throws {
        let rates = ServiceRates([.registrationRead: RateLimit(burst: 1, interval: .seconds(3_600))])
        let fixture = try await DeviceFixture(rates: rates)
        for number in 1...18 as ClosedRange<UInt8> {
            let secret = try DeviceSecret(random: SystemRandom.bytes)
            let body = try fixture.registration(
                "phone", secret: secret, token: String(repeating: "\(10 + number)", count: 32),
                by: SecretKey([UInt8](repeating: number, count: 32)))
            #expect(try await fixture.ask(.put, "/v1/devices/phone", body, from: "192.0.2.1").status == 200)
            let answer = try await fixture.ask(
                .get, "/v1/notifications/unread", by: secret, from: number < 18 ? "192.0.2.1" : "192.0.2.2")
            #expect(answer.status == (number == 17 ? 429 : 200))
        }
    }

    @Test("All owners in one network change their devices sixteen times as often as one of them, at the most")
    func changes() async throws {
        let rates = ServiceRates([.registration: RateLimit(burst: 1, interval: .seconds(3_600))])
        let fixture = try await DeviceFixture(rates: rates)
        for number in 1...18 as ClosedRange<UInt8> {
            let secret = try DeviceSecret(random: SystemRandom.bytes)
            func put(_ token: UInt8, from peer: String) async throws -> Int {
                let body = try fixture.registration(
                    "phone", secret: secret, token: String(repeating: "\(token)", count: 32),
                    by: SecretKey([UInt8](repeating: number, count: 32)))
                return try await fixture.ask(.put, "/v1/devices/phone", body, from: peer).status
            }
            #expect(try await put(10 + number, from: "192.0.2.\(number)") == 200)
            let answer = try await put(40 + number, from: number < 18 ? "198.51.100.1" : "198.51.100.2")
            #expect(answer == (number == 17 ? 429 : 200))
        }
    }

    @Test("Who has waited as long as was said is answered again")
    func waiting() async throws {
        try await running { http in
            let first = try await http.ask("GET /v1/info", from: 1)
            clock.advance(by: .seconds(6))
            let early = try await http.ask("GET /v1/info", from: 1)
            clock.advance(by: .seconds(1))
            let next = try await http.ask("GET /v1/info", from: 1)
            #expect([first, early, next].map(\.status) == ["200", "429", "200"])
            #expect(early.wait == "1")
        }
    }
}
