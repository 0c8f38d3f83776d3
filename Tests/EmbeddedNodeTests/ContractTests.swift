import BackendContract
import Bolt11
import EmbeddedNode
import LightningCoding
import LightningCrypto
import Locking
import Receiving
import Testing

@Suite("What every backend promises", .timeLimit(.minutes(1)))
struct ContractTests {
    @Test("The embedded node keeps its promises", arguments: BackendPromise.all)
    func keeps(_ promise: BackendPromise) async throws {
        try await promise.check(EmbeddedBench())
    }
}

/// An embedded node that is paid by the last connection to it.
private final class EmbeddedBench: BackendBench {
    private let bench = NodeOnBench()
    private let last = Guarded<EmbeddedBackend?>(nil)

    var now: UnixTime { bench.now }

    func connect() async throws -> any ReceiveBackend {
        let backend = try await bench.start()
        last.withLock { $0 = backend }
        return backend
    }

    func advance(seconds: UInt64) { bench.advance(seconds: seconds) }

    func pay(_ bolt11: String, _ amount: Millisatoshi) async throws {
        let node = try #require(last.withLock { $0 })
        try await node.settle(Bolt11Invoice(bolt11).paymentHash, received: amount, at: bench.now)
    }
}
