import EmbeddedNode
import HTTPTypes
import LedgerContract
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import Testing
@testable import HTTPService

@Suite("The health of nodes as supervisors see it", .timeLimit(.minutes(5)))
struct NodeHealthTests {
    private let service: TestService
    private let told = Guarded<Result<NodeInfo, BackendFault>>(.failure(.unreachable("connection refused")))

    init() async throws { service = try await TestService() }

    private func health(network: Network? = nil) async throws -> (status: Int, words: String?) {
        let node = service.node
        var backend = StubBackend(node) { order throws(BackendFault) in try await node.createInvoice(order) }
        backend.info = { [told] () throws(BackendFault) in try told.withLock { $0 }.get() }
        var parts = service.parts
        parts.backends = [.embedded: ConfiguredBackend(backend, network: network)]
        #expect(try await service.administer("/health/ready", token: nil, parts: parts).status == 200)
        _ = try await service.ledger.held(.following(.embedded))
        let answer = try await service.administer("/health/parts", token: nil, parts: parts)
        let json = try answer.json()
        #expect(json["status"] == (answer.status == 200 ? "ok" : "degraded"))
        return (answer.status, json["parts"]?["backend embedded"]?.string)
    }

    @Test("A node that is down at startup makes the service degraded until it is up")
    func downAtStart() async throws {
        #expect(try await health() == (503, "the node cannot be reached: connection refused"))
        let info = try await service.node.nodeInfo()
        told.withLock { $0 = .success(info) }
        #expect(try await health() == (200, "ok"))
    }

    @Test("A node on the wrong chain, or not synced, is reported as such")
    func chain() async throws {
        let info = try await service.node.nodeInfo()
        told.withLock { $0 = .success(info) }
        #expect(
            try await health(network: .bitcoin).words == "the node is on regtest, and the configuration says bitcoin"
        )
        told.withLock {
            $0 = .success(
                NodeInfo(nodeID: info.nodeID, network: info.network, blockHeight: 1, isSynchronized: false))
        }
        #expect(try await health() == (503, "is not synchronized with its chain"))
    }

    @Test("A different node under the same name is refused, with an explanation that names the first")
    func anotherNode() async throws {
        let info = try await service.node.nodeInfo()
        told.withLock { $0 = .success(info) }
        #expect(try await health().status == 200)
        // The node's identity is known after the first request.
        _ = try await service.ask("/lnurlp/alice")
        let other = try SecretKey([UInt8](repeating: 9, count: 32)).publicKey
        told.withLock { $0 = .success(NodeInfo(nodeID: other, network: info.network, blockHeight: 1)) }
        let (status, words) = try await health()
        #expect(status == 503)
        #expect(words == LedgerFault.anotherNode(info.nodeID).reason)
        #expect(words?.contains(info.nodeID.hexadecimal) == true)
    }
}
