import EmbeddedNode
import HTTPTypes
import LightningCoding
import Platform
import ResponderCore
import ResponderModel
import Testing

@Suite("Inbound liquidity as payers see it", .timeLimit(.minutes(5)))
struct LiquidityTests {
    private static let nothing = "Nothing can be received at the moment; please try again later"

    private let service: TestService
    private let receivable = Guarded<Result<ReceiveLimits, BackendFault>>(.failure(.nothingReceivable))
    private let asked = Guarded(0)

    init() async throws {
        service = try await TestService { $0.minSendable = Millisatoshi(5_000) }
    }

    private func receive(_ minimum: UInt64, _ maximum: UInt64) throws {
        let limits = try #require(ReceiveLimits(minimum: Millisatoshi(minimum), maximum: Millisatoshi(maximum)))
        receivable.withLock { $0 = .success(limits) }
    }

    /// A service whose node can receive the given amounts.
    private func responder() async throws -> Responder {
        let node = service.node
        var backend = StubBackend(node) { order throws(BackendFault) in try await node.createInvoice(order) }
        backend.limitsNow = { [receivable, asked] () throws(BackendFault) in
            asked.withLock { $0 += 1 }
            return try receivable.withLock { $0 }.get()
        }
        return try await service.responder(in: backend)
    }

    private func ask(_ target: String, _ responder: Responder) async throws -> Answer {
        try await Answer(service.publicRouter(responder), target, .get, [:], "")
    }

    private func bounds(_ responder: Responder) async throws -> [UInt64?] {
        let json = try await ask("/lnurlp/alice", responder).json()
        return [json["minSendable"]?.uint64, json["maxSendable"]?.uint64]
    }

    @Test("maxSendable follows the node's inbound liquidity, queried every five seconds, and the callback enforces it")
    func follows() async throws {
        let responder = try await responder()
        try receive(1, 900_000)
        #expect(try await bounds(responder) == [5_000, 900_000])
        try receive(1, 70_000)
        service.clock.advance(seconds: 4)
        for _ in 0..<20 { #expect(try await bounds(responder) == [5_000, 900_000]) }
        #expect(asked.withLock { $0 } == 1)
        service.clock.advance(seconds: 1)
        #expect(try await bounds(responder) == [5_000, 70_000])
        #expect(try await ask("/lnurlpay/alice/invoice?amount=70000", responder).json()["pr"] != nil)
        #expect(
            try await ask("/lnurlpay/alice/invoice?amount=70001", responder).reason
                == "The amount must be between 5000 and 70000 msat")
        #expect(asked.withLock { $0 } == 2)
    }

    @Test(
        "When the node can receive less than the account's minimum, both responses are an ERROR, and never min > max")
    func nothing() async throws {
        let responder = try await responder()
        let targets = ["/lnurlp/alice", "/lnurlpay/alice/invoice?amount=5000"]
        for target in targets { #expect(try await ask(target, responder).reason == Self.nothing) }
        try receive(1, 4_999)
        service.clock.advance(seconds: 5)
        for target in targets {
            let answer = try await ask(target, responder)
            #expect(answer.status == 200 && answer.reason == Self.nothing)
            #expect(answer.headers[.cacheControl] == "no-store")
        }
        try receive(1, 5_000)
        service.clock.advance(seconds: 5)
        #expect(try await bounds(responder) == [5_000, 5_000])
        #expect(try await ask(targets[1], responder).json()["pr"] != nil)
    }
}
