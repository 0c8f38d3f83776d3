import BackendContract
import Bolt11
import EmbeddedNode
import LightningCoding
import Platform
import ResponderModel
import Testing

@Suite("The rules of every backend", .timeLimit(.minutes(5)))
struct ContractTests {
    @Test("The embedded node keeps its rules", arguments: BackendRule.all)
    func keeps(_ rule: BackendRule) async throws {
        try await rule.check(EmbeddedFixture())
    }
}

/// An embedded node that is paid by the last connection to it.
private final class EmbeddedFixture: BackendFixture {
    private let fixture = NodeFixture()
    private let last = Guarded<EmbeddedBackend?>(nil)

    var now: UnixTime { fixture.now }

    func connect() async throws -> any ReceiveBackend {
        let backend = try await fixture.start()
        last.withLock { $0 = backend }
        return backend
    }

    func advance(seconds: UInt64) { fixture.advance(seconds: seconds) }

    func pay(_ bolt11: String, _ amount: Millisatoshi) async throws {
        let node = try #require(last.withLock { $0 })
        try await node.settle(Bolt11Invoice(bolt11).paymentHash, received: amount, at: fixture.now)
    }
}
