import EmbeddedNode
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import Testing
@testable import ResponderCore

@Suite("A node that is not always up", .timeLimit(.minutes(5)))
struct LateNodeTests {
    private let fixture: Fixture
    private let node: FakeNodeBackend
    private let recipient: AccountID

    init() async throws {
        fixture = try await Fixture()
        node = FakeNodeBackend(fixture.node)
        recipient = try fixture.alice()
    }

    private func responder() async throws -> Responder {
        try await fixture.responder(in: node, limitsLifetime: 0)
    }

    private func invoice(by responder: Responder) async throws -> PayInvoice {
        try await responder.payInvoice(
            CallbackQuery(amount: Millisatoshi(21_000)), for: recipient)
    }

    @Test("While it is down at the start, payers are refused; once it is up, they are answered")
    func downAtStart() async throws {
        let fault = BackendFault.unreachable("connection refused")
        node.fault.withLock { $0 = fault }
        let responder = try await responder()
        let refusal = Refusal.unavailable(.backend(.embedded, fault))
        await #expect(throws: refusal) { try await responder.payRequest(for: recipient) }
        await #expect(throws: refusal) { try await invoice(by: responder) }
        await #expect(throws: OfferRefusal.account(refusal)) {
            try await responder.issueOffer(OfferTerms(description: "Tea"), for: fixture.alice())
        }
        node.fault.withLock { $0 = nil }
        #expect(try await responder.payRequest(for: recipient).maxSendable == Millisatoshi(10_000_000_000))
        #expect(try await invoice(by: responder).pr.hasPrefix("lnbcrt210n1"))
    }

    @Test("A different node behind the same name makes no invoice, before and after our restart")
    func anotherNode() async throws {
        let responder = try await responder()
        _ = try await invoice(by: responder)
        let known = try await fixture.node.nodeInfo().nodeID
        node.info.withLock {
            $0 = try? NodeInfo(
                nodeID: SecretKey(Array(repeating: 9, count: 32)).publicKey, network: .regtest, blockHeight: 1)
        }
        let refusal = Refusal.unavailable(.ledger(.anotherNode(known)))
        await #expect(throws: refusal) { try await invoice(by: responder) }
        let restarted = try await self.responder()
        await #expect(throws: refusal) { try await invoice(by: restarted) }
        for responder in [responder, restarted] {
            await #expect(throws: Refusal.Cause.ledger(.anotherNode(known))) {
                try await responder.knownNodes.current(node, named: .embedded)
            }
        }
        node.info.withLock { $0 = nil }
        _ = try await invoice(by: restarted)
    }

    @Test("Many concurrent requests share one query of the node's identity and limits")
    func singleQuestion() async throws {
        let responder = try await fixture.responder(in: node)
        let recipient = recipient
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = try await responder.payRequest(for: recipient) } }
            try await group.waitForAll()
        }
        #expect(node.asked.withLock { $0 } == 2)
    }
}
