import LedgerRecords
import Bolt12
import LedgerContract
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import Testing
@testable import ResponderCore

@Suite("Offers that the account's node makes itself", .timeLimit(.minutes(5)))
struct NodeOfferTests {
    private let fixture: Fixture
    private let orders = Guarded<[OfferOrder]>([])

    init() async throws { fixture = try await Fixture() }

    /// A responder whose node makes offers as ordered, except for the given changes.
    private func responder(
        _ change: @escaping @Sendable (inout OfferFields) -> Void = { _ in }
    ) async throws -> Responder {
        try await responder { order throws(BackendFault) in try Self.offer(order, change) }
    }

    private func responder(
        making offer: @escaping @Sendable (OfferOrder) throws(BackendFault) -> Offer
    ) async throws -> Responder {
        let node = StubNode(fixture.node) { node in
            node.capabilities.offers = .ownOffers
            node.makeOffer = { [orders] order throws(BackendFault) in
                orders.withLock { $0.append(order) }
                return try offer(order)
            }
        }
        return try await fixture.responder(in: node)
    }

    private static func offer(
        _ order: OfferOrder, _ change: (inout OfferFields) -> Void = { _ in }
    ) throws(BackendFault) -> Offer {
        do {
            var fields = OfferFields()
            fields.chains = [ChainHash(.regtest)]
            fields.amount = order.amount?.msat
            fields.description = order.description
            fields.issuer = order.issuer.map { "\($0) (\(order.label))" } ?? order.label
            fields.quantityMax = order.quantityMax
            fields.absoluteExpiry = order.absoluteExpiry
            fields.issuerID = try SecretKey(Array(repeating: 8, count: 32)).publicKey
            change(&fields)
            return try Offer(fields)
        } catch {
            throw .malformedAnswer("no offer")
        }
    }

    private func terms() -> OfferTerms {
        var terms = OfferTerms(description: "Tea", amount: Millisatoshi(21_000))
        terms.issuer = "Shop"
        terms.quantityMax = 3
        terms.absoluteExpiry = fixture.now.adding(seconds: 60)
        return terms
    }

    @Test(
        "The node gets the terms, and its offer is stored as the account's, so that its payments are too"
    )
    func made() async throws {
        let issued = try await responder().issueOffer(terms(), for: fixture.alice())
        let order = OfferOrder(
            label: "alice", description: "Tea", amount: Millisatoshi(21_000), issuer: "Shop", quantityMax: 3,
            absoluteExpiry: fixture.now.adding(seconds: 60))
        #expect(orders.withLock { $0 } == [order])
        #expect(
            issued
                == IssuedOffer(
                    offer: try Self.offer(order), account: try fixture.alice(), origin: .node,
                    maker: IssuedOffer.Maker(backend: .embedded, nodeID: try Fixture.nodeKey().publicKey),
                    createdAt: fixture.now))
        #expect(try await fixture.ledger.offers(of: nil) == [issued])
        let preimage = try Preimage(SecretBytes(Array(repeating: 3, count: 32)))
        let settlement = Settlement(
            paymentHash: preimage.paymentHash, preimage: preimage, received: Millisatoshi(21_000),
            settledAt: fixture.now, cursor: SettlementCursor("1"),
            offered: OfferedPayment(offer: issued.offer.id, invoice: nil))
        #expect(try await fixture.ledger.record(settlement, from: .embedded)?.account == fixture.alice())
    }

    @Test("It defaults to the account's description, which the node may omit; repeating yields the same offer")
    func standard() async throws {
        let first = try await responder().issueOffer(OfferTerms(), for: fixture.alice())
        fixture.advance(seconds: 5)
        #expect(try await responder().issueOffer(OfferTerms(), for: fixture.alice()) == first)
        #expect(
            orders.withLock { $0 } == Array(repeating: OfferOrder(label: "alice", description: "For alice"), count: 2))
        let silent = try await responder { $0.description = nil }
        #expect(try await silent.issueOffer(OfferTerms(), for: fixture.alice()).offer.description == nil)
        await #expect(throws: OfferRefusal.otherTerms(.embedded)) {
            try await silent.issueOffer(OfferTerms(description: "Tea"), for: fixture.alice())
        }
    }

    @Test("Terms that the node does not support are refused before it is called, unless they are defaults")
    func foreignTerms() async throws {
        let introduction = try SecretKey(Array(repeating: 9, count: 32)).publicKey
        var once = OfferTerms()
        once.maximumPayments = 1
        var all = OfferTerms(way: .introduction(introduction, withIssuerID: false))
        all.maximumPayments = 1
        let path = OfferTerms(way: .introduction(introduction, withIssuerID: true))
        let cases: [(OfferTerms, [OfferTerms.BuiltOnly])] = [
            (once, [.maximumPayments]), (path, [.introductions]),
            (all, [.maximumPayments, .introductions, .withoutIssuerID]),
        ]
        for (terms, refused) in cases {
            await #expect(throws: OfferRefusal.notAtNode(.embedded, refused)) {
                try await responder().issueOffer(terms, for: fixture.alice())
            }
        }
        #expect(orders.withLock { $0 }.isEmpty)
        var standard = path
        standard.mayTakeOtherWay = true
        #expect(try await responder().issueOffer(standard, for: fixture.alice()).offer.paths == nil)
        #expect(
            OfferRefusal.notAtNode(.embedded, [.maximumPayments, .introductions]).reason
                == "embedded makes the offers of its accounts itself, and they cannot have a limit on payments, an introduction"
        )
    }

    @Test(
        "An offer that the node also returns for a second account stays the first one's, to keep their payments apart"
    )
    func paysAnother() async throws {
        let bob = try AccountID("bob@pay.example.com")
        _ = try await fixture.ledger.putAccount(
            named: bob, settings: AccountSettings(description: "For alice", backend: .embedded),
            metadata: #"[["text/plain","For bob"]]"#, at: fixture.now)
        let responder = try await responder { $0.issuer = nil }
        let first = try await responder.issueOffer(OfferTerms(), for: fixture.alice())
        await #expect(throws: OfferRefusal.paysAnother(try fixture.alice())) {
            try await responder.issueOffer(OfferTerms(), for: bob)
        }
        #expect(try await fixture.ledger.offers(of: nil) == [first])
        #expect(OfferRefusal.paysAnother(bob).reason == "the offer already exists; it pays bob@pay.example.com")
    }

    @Test("A disabled offer is not returned as if it were new")
    func wasDisabled() async throws {
        let offer = try await responder().issueOffer(OfferTerms(), for: fixture.alice())
        _ = try await fixture.ledger.disableOffer(offer.offer.id, at: fixture.now)
        await #expect(throws: OfferRefusal.wasDisabled) {
            try await responder().issueOffer(OfferTerms(), for: fixture.alice())
        }
    }

    private static let lies: [@Sendable (inout OfferFields) -> Void] = [
        { $0.amount = 21_001 }, { $0.amount = nil }, { $0.currency = "EUR" }, { $0.description = "Coffee" },
        { $0.quantityMax = nil }, { $0.absoluteExpiry = nil }, { $0.issuer = "Another" }, { $0.issuer = nil },
    ]

    @Test("An offer that does not match the terms is not used", arguments: lies.indices)
    func otherTerms(index: Int) async throws {
        await #expect(throws: OfferRefusal.otherTerms(.embedded)) {
            try await responder(Self.lies[index]).issueOffer(terms(), for: fixture.alice())
        }
        #expect(try await fixture.ledger.offers(of: nil).isEmpty)
    }

    @Test("An offer for another chain is not used")
    func foreignOffer() async throws {
        await #expect(throws: OfferRefusal.offer(.unsupportedChain)) {
            try await responder { $0.chains = nil }.issueOffer(terms(), for: fixture.alice())
        }
        #expect(try await fixture.ledger.offers(of: nil).isEmpty)
    }

    @Test(
        "A node that does not make such an offer, or does not answer, leaves nothing behind",
        arguments: [(BackendFault.unsupported, false), (.refused("disabled"), false), (.timedOut, true)])
    func faults(fault: BackendFault, isTransient: Bool) async throws {
        let refusal = OfferRefusal.node(.embedded, fault)
        await #expect(throws: refusal) {
            try await responder { _ throws(BackendFault) in throw fault }.issueOffer(OfferTerms(), for: fixture.alice())
        }
        #expect(refusal.isTransient == isTransient)
        #expect(try await fixture.ledger.offers(of: nil).isEmpty)
    }

    @Test("Offers of other keys cannot be imported for such an account")
    func imported() async throws {
        let offer = try Self.offer(OfferOrder(label: "alice", description: "For alice"))
        await #expect(throws: OfferRefusal.nodeAnswersOnlyItsOwn(.embedded)) {
            try await responder().importOffer(offer, for: fixture.alice())
        }
    }
}
