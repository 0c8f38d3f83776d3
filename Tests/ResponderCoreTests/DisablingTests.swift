import LedgerRecords
import Bolt12
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import Testing
@testable import ResponderCore

@Suite("Disabling offers", .timeLimit(.minutes(5)))
struct DisablingTests {
    private let fixture: Fixture
    private let switchedOff = Guarded<[OfferID]>([])
    private let nodeFault = Guarded<BackendFault?>(nil)

    init() async throws { fixture = try await Fixture() }

    /// An offer made by a node, in the ledger.
    private func nodeOffer(at backend: BackendName = .embedded, key: UInt8? = nil) async throws -> IssuedOffer {
        var fields = OfferFields()
        fields.chains = [ChainHash(.regtest)]
        fields.description = "Tea"
        let node = try key.map { try SecretKey(Array(repeating: $0, count: 32)) } ?? Fixture.nodeKey()
        fields.issuerID = node.publicKey
        return try await fixture.ledger.putOffer(
            IssuedOffer(
                offer: Offer(fields), account: fixture.alice(), origin: .node,
                maker: IssuedOffer.Maker(backend: backend, nodeID: node.publicKey), createdAt: fixture.now))
    }

    private func disable(_ id: OfferID) async throws -> DisabledOffer? {
        let node = StubNode(fixture.node) { node in
            node.switchOff = { [switchedOff, nodeFault] id throws(BackendFault) in
                if let fault = nodeFault.withLock({ $0 }) { throw fault }
                switchedOff.withLock { $0.append(id) }
            }
        }
        return try await fixture.responder(in: node).disableOffer(id)
    }

    @Test("An offer of ours is disabled at once, without calling a node")
    func ours() async throws {
        let offer = try await fixture.responder().issueOffer(OfferTerms(description: "Tea"), for: fixture.alice()).offer
        let found = try #require(try await disable(offer.id))
        #expect(found.end == .ours && found.reason == nil)
        #expect(found.offer.disabledAt == fixture.now)
        #expect(switchedOff.withLock { $0 }.isEmpty)
        #expect(try await disable(#require(OfferID(Array(repeating: 9, count: 32)))) == nil)
    }

    @Test("An offer made by a node is disabled there too, and both are recorded")
    func atNode() async throws {
        let offer = try await nodeOffer()
        let found = try #require(try await disable(offer.offer.id))
        #expect(found.end == .offAtNode && found.reason == nil)
        #expect(switchedOff.withLock { $0 } == [offer.offer.id])
        #expect(found.offer.disabledAt == fixture.now && found.offer.disabledAtNodeAt == fixture.now)
        #expect(try await fixture.ledger.offer(offer.offer.id) == found.offer)
    }

    @Test(
        "If the node does not answer, the offer is disabled here and enabled there, and a retry reaches the node"
    )
    func silent() async throws {
        let offer = try await nodeOffer()
        nodeFault.withLock { $0 = .timedOut }
        let found = try #require(try await disable(offer.offer.id))
        #expect(found.end == .stillOn(.embedded, .backend(.embedded, .timedOut)))
        #expect(found.isWorthRepeating)
        #expect(
            found.reason
                == "the offer is disabled here, but still enabled at embedded, which did not disable it: the node did not answer in "
                + "time; payments for it are still recorded under alice@pay.example.com; disable it again")
        #expect(found.offer.disabledAt == fixture.now && found.offer.disabledAtNodeAt == nil)
        nodeFault.withLock { $0 = nil }
        fixture.advance(seconds: 7)
        let later = try #require(try await disable(offer.offer.id)?.offer)
        #expect(later.disabledAt == found.offer.disabledAt && later.disabledAtNodeAt == fixture.now)
    }

    @Test("What a node rejects for good is not worth retrying")
    func refused() async throws {
        nodeFault.withLock { $0 = .refused("no") }
        #expect(try await disable(nodeOffer().offer.id)?.isWorthRepeating == false)
    }

    @Test("If a node cannot disable its offers, nothing is recorded as done")
    func cannot() async throws {
        let offer = try await nodeOffer()
        nodeFault.withLock { $0 = .unsupported }
        let found = try #require(try await disable(offer.offer.id))
        #expect(found.end == .cannot(.embedded) && !found.isWorthRepeating)
        #expect(
            found.reason
                == "the offer stays enabled: embedded cannot disable its offers, and keeps answering requests for it; "
                + "payments for it are still recorded under alice@pay.example.com")
        #expect(found.offer == offer)
    }

    @Test("A different node behind the name, or none, is not called")
    func anotherNode() async throws {
        let foreign = try await nodeOffer(key: 9)
        let maker = try #require(foreign.maker?.nodeID)
        #expect(
            try await disable(foreign.offer.id)?.end == .stillOn(.embedded, .ledger(.anotherNode(maker))))
        let gone = try #require(BackendName("gone"))
        let lost = try await nodeOffer(at: gone, key: 8)
        #expect(try await disable(lost.offer.id)?.end == .stillOn(gone, .noBackend(gone)))
        #expect(switchedOff.withLock { $0 }.isEmpty)
    }
}
