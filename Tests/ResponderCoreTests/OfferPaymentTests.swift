import LedgerRecords
import Bolt12
import LNURL
import LedgerContract
import LightningCoding
import LightningCrypto
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
@testable import ResponderCore

@Suite("Payments of offers made by nodes", .timeLimit(.minutes(5)))
struct OfferPaymentTests {
    private let fixture: Fixture
    private let events = AsyncStream<SettlementFollower.Event>.makeStream()

    init() async throws { fixture = try await Fixture() }

    /// The node's own offer for an account, in the ledger.
    private func offer(of name: String, at backend: BackendName = .embedded) async throws -> IssuedOffer {
        if name != "alice" {
            _ = try await fixture.ledger.putAccount(
                named: AccountID("\(name)@pay.example.com"),
                settings: AccountSettings(description: name, backend: .embedded),
                metadata: #"[["text/plain","\#(name)"]]"#, at: fixture.now)
        }
        return try await fixture.ledger.putOffer(
            IssuedOffer(
                offer: Self.offer(name), account: AccountID("\(name)@pay.example.com"), origin: .node,
                maker: IssuedOffer.Maker(backend: backend, nodeID: Fixture.nodeKey().publicKey), createdAt: fixture.now)
        )
    }

    private static func offer(_ words: String) throws -> Offer {
        var fields = OfferFields()
        fields.chains = [ChainHash(.regtest)]
        fields.description = words
        fields.issuerID = try Fixture.nodeKey().publicKey
        return try Offer(fields)
    }

    private func payment(_ number: UInt8, of offer: Offer) throws -> Settlement {
        let preimage = try Preimage(Array(repeating: number, count: 32))
        return Settlement(
            paymentHash: preimage.paymentHash, preimage: preimage, received: Millisatoshi(1_000 * UInt64(number)),
            settledAt: fixture.now, cursor: SettlementCursor("\(number)"),
            offered: OfferedPayment(offer: offer.id, invoice: nil))
    }

    /// The accounts paid, as reported for that many payments by a node with these payments to a newly started process.
    private func told(_ count: Int, of payments: [Settlement], in ledger: any Ledger) async throws -> [String] {
        let node = StubNode(fixture.node) { node in
            node.payments = { cursor in
                let (stream, feed) = SettlementStream.makeStream()
                for payment in payments where UInt64(payment.cursor.text) ?? 0 > UInt64(cursor?.text ?? "") ?? 0 {
                    feed.yield(.success(payment))
                }
                return stream
            }
        }
        let responder = Responder(
            ledger: ledger, backends: [.embedded: node], settings: try await fixture.responder().settings)
        let follower = SettlementFollower(
            of: .embedded, node, in: responder.ledger, knownNodes: responder.knownNodes,
            pause: { _ in try await Task.sleep(for: .seconds(3600)) },
            report: { [events] in events.continuation.yield($0) })
        let lease = try await fixture.ledger.held(.following(.embedded))
        let task = Task { await follower.run(under: lease) }
        var names: [String] = []
        for await event in events.stream {
            guard case .settled(let invoice) = event else { continue }
            names.append(invoice.account.name.text)
            if names.count == count { break }
        }
        task.cancel()
        await task.value
        return names
    }

    @Test(
        "Each belongs to the account of its offer, also after a restart, in the node's order")
    func accounts() async throws {
        let (alice, bob) = (try await offer(of: "alice").offer, try await offer(of: "bob").offer)
        let payments = try [alice, bob, bob, alice].enumerated().map { try payment(UInt8($0 + 1), of: $1) }
        #expect(try await told(2, of: Array(payments.prefix(2)), in: fixture.ledger) == ["alice", "bob"])
        // Two more arrived while nobody followed.
        let restarted = try await LedgerDatabase.open(at: fixture.folder.path + "/ledger.sqlite")
        #expect(try await told(2, of: payments, in: restarted) == ["bob", "alice"])
        let invoices = try await restarted.invoices(InvoiceQuery(now: fixture.now)).elements
        #expect(invoices.reversed().map(\.paymentHash) == payments.map(\.paymentHash))
        #expect(invoices.allSatisfy { $0.settlement != nil })
    }

    @Test("A payment of an unknown offer, or of one made by a different node, belongs to nobody")
    func unknown() async throws {
        let elsewhere = try await offer(of: "bob", at: #require(BackendName("other"))).offer
        let alice = try await offer(of: "alice").offer
        let payments = try [Self.offer("by hand"), elsewhere, alice].enumerated().map {
            try payment(UInt8($0 + 1), of: $1)
        }
        #expect(try await told(1, of: payments, in: fixture.ledger) == ["alice"])
        #expect(try await fixture.ledger.invoices(InvoiceQuery(now: fixture.now)).elements.count == 1)
        #expect(try await fixture.ledger.cursor(of: .embedded) == SettlementCursor("3"))
    }

    @Test(
        "A payment of a disabled offer, or of a removed account, still belongs to that account: the money has arrived"
    )
    func gone() async throws {
        let (alice, bob) = (try await offer(of: "alice").offer, try await offer(of: "bob").offer)
        _ = try await fixture.ledger.disableOffer(alice.id, at: fixture.now)
        #expect(try await fixture.ledger.removeAccount(named: AccountID("bob@pay.example.com")))
        let payments = try [payment(1, of: alice), payment(2, of: bob)]
        #expect(try await told(2, of: payments, in: fixture.ledger) == ["alice", "bob"])
        #expect(try await fixture.ledger.invoices(InvoiceQuery(now: fixture.now)).elements.count == 2)
    }
}
