import EmbeddedNode
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import Testing
@testable import ResponderCore

@Suite("Querying a node about the ledger's unsettled invoices", .timeLimit(.minutes(5)))
struct ReconciliationTests {
    private let fixture: Fixture
    private let node: FakeNodeBackend
    private let quiet: BackendName
    private let busy: BackendName

    init() async throws {
        fixture = try await Fixture()
        node = FakeNodeBackend(fixture.node)
        quiet = try #require(BackendName("quiet"))
        busy = try #require(BackendName("busy"))
    }

    /// The next invoices of a backend: made by the embedded node, expiring after a minute.
    private func issue(_ count: Int, at backend: BackendName) async throws -> [PaymentHash] {
        var hashes: [PaymentHash] = []
        for _ in 0..<count {
            let label = "\(fixture.drawn.withLock { $0 += 1; return $0 })"
            let order = InvoiceOrder(amount: Millisatoshi(1_000), description: .text("x"), expiry: 60, label: label)
            let made = try await fixture.node.createInvoice(order)
            let hash = made.paymentHash
            try await fixture.ledger.record(
                IssuedInvoice(
                    paymentHash: hash, account: fixture.alice(), backend: backend, label: label, bolt11: made.bolt11,
                    amount: order.amount, createdAt: fixture.now, expiresAt: fixture.now.adding(seconds: 60),
                    origin: .lnurl(.init(metadataVersion: 1))), using: nil)
            hashes.append(hash)
        }
        return hashes
    }

    private func reconciliation(mostExpired: Int = 10_000) -> Reconciliation {
        Reconciliation(of: quiet, at: fixture.now, beginning: SettlementCursor("5"), mostExpired: mostExpired)
    }

    @Test("However many invoices another backend has, those of this one are queried")
    func perBackend() async throws {
        let ours = try await issue(3, at: quiet)
        for hash in ours { try await fixture.node.settle(hash, at: fixture.now) }
        _ = try await issue(20, at: busy)
        fixture.advance(seconds: 100)
        let settled = Guarded<[PaymentHash]>([])
        var reconciliation = reconciliation(mostExpired: 3)
        let cut = try await reconciliation.run(node, fixture.ledger) { invoice in
            settled.withLock { $0.append(invoice.paymentHash) }
        }
        #expect(cut == nil)
        #expect(settled.withLock { $0 } == ours.reversed())
        #expect(node.asked.withLock { $0 } == 3)
    }

    @Test("Open ones are all queried, expired ones up to a limit, and skipped ones are reported")
    func cut() async throws {
        let old = fixture.now
        _ = try await issue(2, at: quiet)
        fixture.advance(seconds: 10)
        _ = try await issue(3, at: quiet)
        fixture.advance(seconds: 100)
        _ = try await issue(4, at: quiet)
        var limited = reconciliation(mostExpired: 3)
        #expect(try await limited.run(node, fixture.ledger) { _ in } == old)
        #expect(node.asked.withLock { $0 } == 7)
        var whole = reconciliation(mostExpired: 5)
        #expect(try await whole.run(node, fixture.ledger) { _ in } == nil)
        #expect(node.asked.withLock { $0 } == 16)
    }

    @Test("Those that expired long ago are skipped, and that is reported")
    func reach() async throws {
        let old = fixture.now
        _ = try await issue(1, at: quiet)
        fixture.advance(seconds: 604_800)
        var last = reconciliation()
        #expect(try await last.run(node, fixture.ledger) { _ in } == nil)
        fixture.advance(seconds: 1)
        var over = reconciliation()
        #expect(try await over.run(node, fixture.ledger) { _ in } == old)
        #expect(node.asked.withLock { $0 } == 1)
    }

    @Test(
        "An invoice about which the node says nothing readable holds up none, but a node that says nothing readable at all does"
    )
    func unreadable() async throws {
        let hashes = try await issue(2, at: quiet)
        try await fixture.node.settle(hashes[0], at: fixture.now)
        let settled = Guarded<[PaymentHash]>([])
        // The first one asked about, the only one, and every answer.
        for expected in [[hashes[0]], []] {
            node.unreadable.withLock { $0 = [hashes[1]] }
            var reconciliation = reconciliation()
            _ = try await reconciliation.run(node, fixture.ledger) { invoice in
                settled.withLock { $0.append(invoice.paymentHash) }
            }
            #expect(settled.withLock { $0 } == expected)
            settled.withLock { $0 = [] }
        }
        node.fault.withLock { $0 = .malformedAnswer("<html>") }
        var last = reconciliation()
        await #expect(throws: BackendFault.malformedAnswer("<html>")) {
            _ = try await last.run(node, fixture.ledger) { _ in }
        }
    }

    @Test("After a fault of the node it continues where it stopped, with the same beginning")
    func resumes() async throws {
        let hashes = try await issue(250, at: quiet)
        try await fixture.node.settle(hashes[0], at: fixture.now)
        node.callsLeft.withLock { $0 = 150 }
        var reconciliation = reconciliation()
        await #expect(throws: BackendFault.timedOut) {
            _ = try await reconciliation.run(node, fixture.ledger) { _ in }
        }
        node.fault.withLock { $0 = nil }
        let settled = Guarded<[PaymentHash]>([])
        let cut = try await reconciliation.run(node, fixture.ledger) { invoice in
            settled.withLock { $0.append(invoice.paymentHash) }
        }
        #expect(cut == nil)
        #expect(settled.withLock { $0 } == [hashes[0]])
        // Only the page where it stopped is queried again.
        #expect(node.asked.withLock { $0 } == 151 + 150)
        #expect(reconciliation.beginning == SettlementCursor("5"))
    }
}
