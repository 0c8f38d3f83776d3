import EmbeddedNode
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LNURL
import LedgerRecords
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

    /// A service whose node's limits change with every question; each is asked again at once.
    private func changing(
        _ service: TestService, lifetime: UInt64 = 1,
        asked: @escaping @Sendable (_ times: UInt64) async -> Void = { _ in }
    ) -> (answers: CallbackResponder<ServiceContext>, accounts: AccountDirectory) {
        let (node, times, age) = (service.node, Guarded(0 as UInt64), Guarded(Duration.zero))
        var backend = StubBackend(node) { order throws(BackendFault) in try await node.createInvoice(order) }
        backend.limitsNow = { () throws(BackendFault) in
            let number = times.withLock { times in
                times += 1
                return times
            }
            await asked(number)
            let limits = ReceiveLimits(minimum: Millisatoshi(1_000), maximum: Millisatoshi(1_000 + number * 1_000))
            guard let limits else { throw .nothingReceivable }
            return limits
        }
        var settings = service.responder.settings
        settings.limitsLifetime = lifetime
        let ages = MonotonicClock(
            now: {
                age.withLock { age in
                    age += .seconds(10)
                    return MonotonicTime(sinceStart: age)
                }
            }, sleep: { _ in })
        let responder = Responder(
            ledger: service.ledger, backends: [.embedded: backend], settings: settings, ageClock: ages)
        return (service.router(Payers(responder), accounts: responder.accounts), responder.accounts)
    }

    private func maximum(
        _ router: CallbackResponder<ServiceContext>, _ target: String = "/lnurlp/alice", host: String? = "example.com"
    ) async throws -> UInt64? {
        try await Answer(router, target, .get, [:], "", host: host).json()["maxSendable"]?.uint64
    }

    @Test("An answer is kept for a second, and not a nanosecond longer")
    func second() async throws {
        let router = try await changing(service()).answers
        #expect(try await maximum(router) == 2_000)
        clock.advance(by: .seconds(1) - .nanoseconds(1))
        #expect(try await maximum(router) == 2_000)
        clock.advance(by: .nanoseconds(1))
        #expect(try await maximum(router) == 3_000)
        #expect(try await maximum(router) == 3_000)
    }

    @Test("Another host, path or tag gets an answer of its own, and so does whoever names no host")
    func others() async throws {
        let router = try await changing(service()).answers
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

    @Test("A kept answer answers GET alone")
    func methods() async throws {
        let router = try await changing(service()).answers
        #expect(try await maximum(router) == 2_000)
        #expect(try await Answer(router, "/lnurlp/alice", .options, [:], "").status == 204)
        #expect(try await Answer(router, "/lnurlp/alice", .post, [:], "").reason?.contains("GET, HEAD") == true)
        #expect(try await Answer(router, "/lnurlp/alice", .head, [:], "").body.isEmpty)
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
        _ = try await service.ledger.removeAccount(
            named: AccountID(AddressName("alice"), at: service.domain.name))
        try await service.responder.accounts.refresh()
        #expect(try await text() == nil)
    }

    @Test("What changes while an answer is made shows in the next one")
    func changedMeanwhile() async throws {
        let service = try await service()
        let accounts = Guarded<AccountDirectory?>(nil)
        let router = changing(service) { times in
            guard times == 1 else { return }
            _ = try? await service.put("alice", AccountSettings(description: "Sats for Alice", backend: .embedded))
            try? await accounts.withLock { $0 }?.refresh()
        }
        accounts.withLock { $0 = router.accounts }
        func text() async throws -> String? {
            try await Answer(router.answers, "/lnurlp/alice", .get, [:], "").json()["metadata"]?.string
        }
        #expect(try await text()?.contains("Pay Alice") == true)
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

    @Test("Nothing is kept where caching is forbidden", arguments: [(0, 1), (60, 0)] as [(UInt64, UInt64)])
    func forbidden(infoMaxAge: UInt64, limits: UInt64) async throws {
        let router = try await changing(service(infoMaxAge: infoMaxAge), lifetime: limits).answers
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

    @Test("At most 1,024 responses are kept, each of at most 4 KiB; one more replaces them all")
    func bounded() throws {
        let kept = KeptInfos(clock: clock.clock)
        func key(_ number: Int) throws -> KeptInfos.Key {
            try #require(KeptInfos.Key(host: "example.com", path: "/lnurlp/\(number)"))
        }
        func isKept(_ number: Int) throws -> Bool { try kept[key(number), 1] != nil }
        func keep(_ number: Int, bytes: Int = 1) throws {
            try kept.keep(.bytes([UInt8](repeating: 0x20, count: bytes), headers: [:]), for: key(number), at: 1)
        }
        for number in 1...1_024 { try keep(number) }
        try keep(1)
        #expect(try (1...1_024).allSatisfy(isKept))
        try keep(1_025, bytes: 4_097)
        #expect(try isKept(1) && !isKept(1_025))
        try keep(1_025, bytes: 4_096)
        #expect(try !isKept(1) && isKept(1_025))
        #expect(try kept[key(1_025), 2] == nil)
        let long = String(repeating: "a", count: 257)
        #expect(KeptInfos.Key(host: long, path: "/") == nil && KeptInfos.Key(host: "a", path: long) == nil)
        #expect(KeptInfos.Key(host: String(long.dropLast()), path: String(long.dropLast())) != nil)
    }
}
