import EmbeddedNode
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LNURL
import LightningCoding
import NIOCore
import Platform
import ResponderCore
import ResponderModel
import Testing
import Waiting
@testable import HTTPService

@Suite("Kept answers to the info step", .timeLimit(.minutes(5)))
struct KeptInfosTests {
    private let clock = ManualClock()

    private func service(
        infoMaxAge: UInt64 = 60, _ changes: @escaping (inout AccountSettings) -> Void = { _ in }
    ) async throws -> TestService {
        try await TestService(changes, infoMaxAge: infoMaxAge, monotonic: clock.clock)
    }

    /// A service whose node's limits change with every question, and are never cached.
    private func changing(_ service: TestService) -> CallbackResponder<ServiceContext> {
        let (node, asked) = (service.node, Guarded(1_000 as UInt64))
        var backend = StubBackend(node) { order throws(BackendFault) in try await node.createInvoice(order) }
        backend.limitsNow = { () throws(BackendFault) in
            let maximum = asked.withLock { asked in
                asked += 1_000
                return asked
            }
            guard let limits = ReceiveLimits(minimum: Millisatoshi(1_000), maximum: Millisatoshi(maximum)) else {
                throw .nothingReceivable
            }
            return limits
        }
        var settings = service.responder.settings
        settings.limitsLifetime = 0
        let responder = Responder(ledger: service.ledger, backends: [.embedded: backend], settings: settings)
        return service.router(Payers(responder), accounts: responder.accounts)
    }

    private func maximum(
        _ router: CallbackResponder<ServiceContext>, _ target: String = "/lnurlp/alice", host: String? = "example.com"
    ) async throws -> UInt64? {
        try await Answer(router, target, .get, [:], "", host: host).json()["maxSendable"]?.uint64
    }

    @Test("An answer is kept for a second, and not a nanosecond longer")
    func second() async throws {
        let router = try await changing(service())
        #expect(try await maximum(router) == 2_000)
        clock.advance(by: .seconds(1) - .nanoseconds(1))
        #expect(try await maximum(router) == 2_000)
        clock.advance(by: .nanoseconds(1))
        #expect(try await maximum(router) == 3_000)
        #expect(try await maximum(router) == 3_000)
    }

    @Test("Another host, path or tag gets an answer of its own, and so does whoever names no host")
    func others() async throws {
        let router = try await changing(service())
        #expect(try await maximum(router) == 2_000)
        #expect(try await maximum(router, host: "example.com:443") == 3_000)
        #expect(try await maximum(router, "/.well-known/lnurlp/alice") == 4_000)
        #expect(try await maximum(router, "/lnurlp/alice+rent") == 5_000)
        #expect(try await maximum(router, host: nil) == 6_000)
        #expect(try await maximum(router, host: nil) == 7_000)
        #expect(try await maximum(router, "/lnurlp/alice?amount=1") == 2_000)
        #expect(try await Answer(router, "/lnurlp/alice", .head, [:], "").body.isEmpty)
        let other = try await Answer(router, "/lnurlp/alice", .get, [:], "", host: "example.org")
        #expect(other.reason == PayerFault.host(.unknown).reason)
    }

    @Test("A change of an account shows in the next answer, once the service has seen it")
    func changed() async throws {
        let service = try await service()
        let router = service.router(Payers(service.responder))
        func text() async throws -> String? {
            try await Answer(router, "/lnurlp/alice", .get, [:], "").json()["metadata"]?.string
        }
        #expect(try await text()?.contains("Pay Alice") == true)
        try await service.put("alice", AccountSettings(description: "Sats for Alice", backend: .embedded))
        try await service.responder.accounts.refresh()
        #expect(try await text()?.contains("Sats for Alice") == true)
    }

    @Test("An answer with a challenge is never kept")
    func challenges() async throws {
        let service = try await service { $0.payerData = PayerDataSpec([.auth: .mandatory]) }
        let router = service.router(Payers(service.responder))
        var challenges: Set<String?> = []
        for _ in 0..<3 {
            let answer = try await Answer(router, "/lnurlp/alice", .get, [:], "").json()
            challenges.insert(answer["payerData"]?["auth"]?["k1"]?.string)
        }
        #expect(challenges.count == 3 && !challenges.contains(nil))
    }

    @Test("Nothing is kept where caching is forbidden")
    func forbidden() async throws {
        let router = try await changing(service(infoMaxAge: 0))
        #expect(try await maximum(router) == 2_000)
        #expect(try await maximum(router) == 3_000)
    }

    @Test("Kept answers count for the rate of the client's network")
    func rates() async throws {
        let service = try await service()
        let rates = ServiceRates([.info: RateLimit(perMinute: 2)])
        let router = service.router(
            Payers(service.responder),
            admission: Admission(rates, metrics: service.metrics, clock: clock.clock))
        var refused: [Bool] = []
        for _ in 0..<3 {
            refused.append(try await Answer(router, "/lnurlp/alice", .get, [:], "", from: "192.0.2.1").reason != nil)
        }
        #expect(refused == [false, false, true])
    }

    @Test("1,024 answers of at most 4 KiB are kept; one more makes room, a longer one is not kept")
    func bounded() throws {
        let kept = KeptInfos(clock: clock.clock)
        func key(_ number: Int) -> KeptInfos.Key {
            KeptInfos.Key(host: "example.com", path: ExactText("/lnurlp/\(number)"))
        }
        func isKept(_ number: Int) -> Bool { kept[key(number), 1] != nil }
        func keep(_ number: Int, bytes: Int = 1) {
            kept.keep(.bytes([UInt8](repeating: 0x20, count: bytes), headers: [:]), for: key(number), at: 1)
        }
        for number in 1...1_024 { keep(number) }
        keep(1)
        #expect((1...1_024).allSatisfy(isKept))
        keep(1_025, bytes: 4_097)
        #expect(isKept(1) && !isKept(1_025))
        keep(1_025, bytes: 4_096)
        #expect(!isKept(1) && isKept(1_025))
        #expect(kept[key(1_025), 2] == nil)
    }
}
