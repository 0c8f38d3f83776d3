import EmbeddedNode
import LightningCoding
import Platform
@testable import ResponderModel
import Testing

@Suite("A node with its configuration", .timeLimit(.minutes(5)))
struct ConfiguredBackendTests {
    @Test("A node on a chain other than the configured one is not used")
    func wrongNetwork() async throws {
        let fixture = try await Fixture()
        let backend = ConfiguredBackend(fixture.node, network: .bitcoin)
        let fault = BackendFault.wrongNetwork(.regtest, configured: .bitcoin)
        await #expect(throws: fault) { try await backend.nodeInfo() }
        #expect(!fault.isTransient)
        let responder = try await fixture.responder(in: backend)
        await #expect(throws: Refusal.unavailable(.backend(.embedded, fault))) {
            try await responder.payRequest(for: fixture.alice())
        }
        #expect(try await ConfiguredBackend(fixture.node, network: .regtest).nodeInfo().network == .regtest)
    }

    @Test("An examination identifies the node, and checks and cancels its invoice")
    func examination() async throws {
        let fixture = try await Fixture()
        let node = FakeNodeBackend(fixture.node)
        let found = try await BackendExamination(of: ConfiguredBackend(node), clock: { fixture.now })
        #expect(found.node == (try await fixture.node.nodeInfo()))
        #expect(found.trial == .canceled)
        #expect(found.problems.isEmpty)
        #expect(node.canceled.withLock { $0.count } == 1)
    }

    @Test("An examination reports an invoice that does not match the order, and cancels it")
    func mismatch() async throws {
        let fixture = try await Fixture()
        let node = FakeNodeBackend(fixture.node)
        let other = try await fixture.node.createInvoice(
            InvoiceOrder(amount: Millisatoshi(7_000), description: .text("x"), expiry: 60, label: "other"))
        node.forge.withLock { $0 = { _ in other } }
        let found = try await BackendExamination(of: node, clock: { fixture.now })
        #expect(found.trial == .mismatch(.amount))
        #expect(found.problems.count == 1)
        #expect(node.canceled.withLock { $0 } == [other.paymentHash])
    }

    @Test("A node that is down cannot be examined")
    func gone() async throws {
        let fixture = try await Fixture()
        let node = FakeNodeBackend(fixture.node)
        node.fault.withLock { $0 = .timedOut }
        await #expect(throws: BackendFault.timedOut) { try await BackendExamination(of: node, clock: { fixture.now }) }
    }
}
