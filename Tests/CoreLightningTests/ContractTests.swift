import BackendContract
import Bolt12
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import Testing
@testable import CoreLightning

@Suite("A Core Lightning backend keeps the rules of every backend", .timeLimit(.minutes(5)))
struct ContractTests {
    @Test("Over the socket, with offers built here", .timeLimit(.minutes(5)), arguments: BackendRule.all)
    func socket(_ rule: BackendRule) async throws {
        try await check(rule) { try $0.backend() }
    }

    @Test("Over the socket, with the node's own offers", .timeLimit(.minutes(5)), arguments: BackendRule.all)
    func ownOffers(_ rule: BackendRule) async throws {
        try await check(rule) { try $0.backend(usesOwnOffers: true) }
    }

    @Test("Over clnrest", .timeLimit(.minutes(5)), arguments: BackendRule.all)
    func rest(_ rule: BackendRule) async throws {
        try await check(rule) { try $0.restBackend() }
    }

    /// Keeps the node alive for the rule, whose last step may be at the backend.
    private func check(
        _ rule: BackendRule, _ open: @escaping @Sendable (NodeFixture) throws -> CoreLightningBackend
    ) async throws {
        let fixture = try Fixture(open)
        try await rule.check(fixture)
        withExtendedLifetime(fixture.node) {}
    }
}

/// The fake node, as controlled by the contract's rules.
private struct Fixture: BackendFixture {
    let node: NodeFixture
    let open: @Sendable (NodeFixture) throws -> CoreLightningBackend

    init(_ open: @escaping @Sendable (NodeFixture) throws -> CoreLightningBackend) throws {
        node = try NodeFixture()
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

    func openChannels(to peer: PublicKey, sendable: [Millisatoshi], isConnected: Bool) -> Bool {
        node.lightningd.openChannels(to: peer, sendable: sendable, isConnected: isConnected)
        return true
    }

    func stop() -> Bool {
        node.stop()
        return true
    }

    func start() throws { try node.start() }
}
