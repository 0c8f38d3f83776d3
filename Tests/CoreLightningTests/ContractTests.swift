import BackendContract
import Bolt12
import LightningCoding
import Locking
import Receiving
import Testing

@testable import CoreLightning

@Suite("A Core Lightning backend keeps every backend's promises", .timeLimit(.minutes(2)))
struct ContractTests {
    @Test("Over the socket, with offers built here", .timeLimit(.minutes(1)), arguments: BackendPromise.all)
    func socket(_ promise: BackendPromise) async throws {
        try await check(promise) { try $0.backend() }
    }

    @Test("Over the socket, with the node's own offers", .timeLimit(.minutes(1)), arguments: BackendPromise.all)
    func ownOffers(_ promise: BackendPromise) async throws {
        try await check(promise) { try $0.backend(.ownOffers) }
    }

    @Test("Over clnrest", .timeLimit(.minutes(1)), arguments: BackendPromise.all)
    func rest(_ promise: BackendPromise) async throws {
        try await check(promise) { try $0.restBackend() }
    }

    /// The node outlives the promise, whose last step may be at the backend.
    private func check(
        _ promise: BackendPromise, _ open: @escaping @Sendable (NodeOnBench) throws -> CoreLightningBackend
    ) async throws {
        let bench = try Bench(open)
        try await promise.check(bench)
        withExtendedLifetime(bench.node) {}
    }
}

/// The played node, as the contract drives it.
private struct Bench: BackendBench {
    let node: NodeOnBench
    let open: @Sendable (NodeOnBench) throws -> CoreLightningBackend

    init(_ open: @escaping @Sendable (NodeOnBench) throws -> CoreLightningBackend) throws {
        node = try NodeOnBench()
        self.open = open
    }

    func connect() async throws -> any ReceiveBackend { try open(node) }

    var now: UnixTime { UnixTime(node.lightningd.state.withLock { $0.now }) }

    func advance(seconds: UInt64) { node.lightningd.state.withLock { $0.now += seconds } }

    func pay(_ bolt11: String, _ amount: Millisatoshi) throws { try node.lightningd.pay(bolt11, amount) }

    func pay(_ offer: Offer, _ amount: Millisatoshi) throws {
        try node.lightningd.pay(offer: offer.id.hexadecimal, amount)
    }

    func rebuild() -> Bool {
        node.lightningd.state.withLock { state in
            state.records = []
            state.lastPayIndex = 0
            state.lastCreatedIndex = 0
        }
        return true
    }

    func stop() -> Bool {
        node.stop()
        return true
    }

    func start() throws { try node.start() }
}
