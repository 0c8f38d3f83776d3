import EmbeddedNode
import LNURL
import Locking
import SQLiteLedger
import LightningCoding
import LightningCrypto
import Receiving
import Responding
import Testing

@Suite("A node behind its configuration", .timeLimit(.minutes(2)))
struct ConfiguredBackendTests {
    @Test("A node on another chain than was configured says nothing else")
    func wrongNetwork() async throws {
        let bench = try await Bench()
        let backend = ConfiguredBackend(bench.node, network: .bitcoin)
        let fault = BackendFault.wrongNetwork(.regtest, configured: .bitcoin)
        await #expect(throws: fault) { try await backend.nodeInfo() }
        #expect(!fault.isTransient)
        let responder = try await bench.responder(in: backend)
        await #expect(throws: Refusal.unavailable(.backend(.embedded, fault))) {
            try await responder.payRequest(for: .init(name: bench.alice()))
        }
        #expect(try await ConfiguredBackend(bench.node, network: .regtest).nodeInfo().network == .regtest)
    }

    @Test("An examination finds who the node is, and that its invoice was as ordered and is let go")
    func examination() async throws {
        let bench = try await Bench()
        let node = ChangingNode(bench.node)
        let found = try await BackendExamination(of: ConfiguredBackend(node), clock: { bench.now })
        #expect(found.node == (try await bench.node.nodeInfo()))
        #expect(found.trial == .letGo)
        #expect(found.problems.isEmpty)
        #expect(node.cancelled.withLock { $0.count } == 1)
    }

    @Test("An examination names an invoice that is another than was ordered, and lets it go")
    func mismatch() async throws {
        let bench = try await Bench()
        let node = ChangingNode(bench.node)
        let other = try await bench.node.createInvoice(
            InvoiceOrder(amount: Millisatoshi(7_000), description: .text("x"), expiry: 60, label: "other"))
        node.forge.withLock { $0 = { _ in other } }
        let found = try await BackendExamination(of: node, clock: { bench.now })
        #expect(found.trial == .mismatch(.amount))
        #expect(found.problems.count == 1)
        #expect(node.cancelled.withLock { $0 } == [other.paymentHash])
    }

    @Test("A node that is gone cannot be examined")
    func gone() async throws {
        let bench = try await Bench()
        let node = ChangingNode(bench.node)
        node.fault.withLock { $0 = .timedOut }
        await #expect(throws: BackendFault.timedOut) { try await BackendExamination(of: node) }
    }
}
