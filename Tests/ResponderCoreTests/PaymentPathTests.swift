import BlindedPaths
import Bolt11
import Bolt12
import EmbeddedNode
import LightningCoding
import LightningCrypto
import Platform
@testable import ResponderModel
import Testing
@testable import ResponderCore

@Suite("Paths to a node without a public channel", .timeLimit(.minutes(5)))
struct PaymentPathTests {
    private let fixture: Fixture
    private let node: FakeNodeBackend

    init() async throws {
        fixture = try await Fixture()
        node = FakeNodeBackend(fixture.node)
    }

    /// A peer that charges a fee, with its channel to the node.
    private func relay(
        _ number: UInt8, minimum: UInt64 = 1, maximum: UInt64 = 1_000_000_000, delta: UInt16 = 34
    ) throws -> PaymentPath.Relay {
        PaymentPath.Relay(
            nodeID: try SecretKey(Array(repeating: number, count: 32)).publicKey,
            next: .channel(ShortChannelID(UInt64(number))),
            terms: PaymentRelay(cltvExpiryDelta: delta, feeProportionalMillionths: 10, feeBase: 1000),
            htlcMinimum: Millisatoshi(minimum),
            htlcMaximum: Millisatoshi(maximum)
        )
    }

    private func say(isPublic: Bool, _ relays: [PaymentPath.Relay]) async throws {
        let info = try await fixture.node.nodeInfo()
        node.info.withLock {
            $0 = NodeInfo(
                nodeID: info.nodeID, network: info.network, blockHeight: info.blockHeight, isPublic: isPublic,
                introductionPeers: relays
            )
        }
    }

    private func paths(_ preferences: PathPreferences = PathPreferences()) async throws -> [PaymentPath] {
        let responder = try await fixture.responder(in: ConfiguredBackend(node, paths: preferences))
        let terms = OfferTerms(description: "Tea", amount: Millisatoshi(21_000))
        let offer = try await responder.issueOffer(terms, for: fixture.alice()).offer
        let request = try InvoiceRequestDraft(
            for: offer, metadata: Array(repeating: 1, count: 16), chain: ChainHash(.regtest)
        ).signed(by: SecretKey(Array(repeating: 3, count: 32)), auxiliaryRandom: nil)
        return try await responder.invoice(
            answering: request.stream.bytes, for: fixture.alice(), arrival: .forwarder
        ).usablePaths
    }

    @Test("They go through its peers, by their channels and on their terms, at most three")
    func throughPeers() async throws {
        let relays = try (10..<15).map { try relay($0) }
        try await say(isPublic: false, relays)
        let paths = try await paths()
        #expect(paths.map(\.path.introductionNode) == relays.prefix(3).map { .node($0.nodeID) })
        for (path, number) in zip(paths, UInt8(10)...) {
            #expect(path.path.hops.count == 2)
            #expect(path.payinfo.feeBase == 1000)
            #expect(path.payinfo.feeProportionalMillionths == 10)
            #expect(path.payinfo.cltvExpiryDelta == 34 + 18 + 3)
            let order = try HopSecret(
                pathKey: path.path.firstPathKey, nodeKey: SecretKey(Array(repeating: number, count: 32))
            ).open(path.path.hops[0].encryptedRecipientData)
            #expect(order.shortChannelID == ShortChannelID(UInt64(number)))
        }
    }

    @Test("A public node needs no peer")
    func isPublic() async throws {
        try await say(isPublic: true, [relay(10)])
        let nodeID = try await fixture.node.nodeInfo().nodeID
        #expect(try await paths().map(\.path.introductionNode) == [.node(nodeID)])
    }

    @Test("Configured peers are used exclusively, with the configured slack, also for a public node")
    func configured() async throws {
        try await say(isPublic: true, [relay(10), relay(11), relay(12)])
        let wanted = try [relay(12), relay(10)].map(\.nodeID)
        let paths = try await paths(PathPreferences(peers: wanted, feeSlack: 90, cltvSlack: 6))
        #expect(paths.map(\.path.introductionNode) == wanted.map { .node($0) })
        #expect(paths.map(\.payinfo.feeProportionalMillionths) == [100, 100])
        #expect(paths.map(\.payinfo.cltvExpiryDelta) == [61, 61])
    }

    @Test("A peer that cannot forward the amount is skipped")
    func tooSmall() async throws {
        try await say(isPublic: false, [relay(10, minimum: 21_001), relay(11, minimum: 21_000)])
        #expect(try await paths().map(\.path.introductionNode) == [.node(try relay(11).nodeID)])
    }

    @Test("A peer that forwards less than the amount is used only for an invoice that may be paid in parts")
    func inParts() async throws {
        try await say(isPublic: false, [relay(10, maximum: 20_999), relay(11, maximum: 21_000)])
        #expect(
            try await paths().map(\.path.introductionNode)
                == [.node(try relay(10).nodeID), .node(try relay(11).nodeID)])
        let draft = Bolt11Draft(
            network: .regtest, amount: Millisatoshi(21_000), timestamp: fixture.now,
            paymentHash: try PaymentHash(Array(repeating: 1, count: 32)),
            paymentSecret: try PaymentSecret(SecretBytes(Array(repeating: 2, count: 32))), description: .text("Tea"))
        let whole = PaymentPaths(
            node: try await node.nodeInfo(),
            invoice: try UnverifiedBolt11Invoice(draft.signed(by: SecretKey(Array(repeating: 3, count: 32))).text),
            random: { Array(repeating: 4, count: $0) })
        #expect(try whole.make().map(\.path.introductionNode) == [.node(try relay(11).nodeID)])
    }

    @Test("A request is refused when no path can be made through any peer")
    func impassable() async throws {
        try await say(isPublic: false, [relay(10, delta: .max)])
        await #expect(throws: RequestRefusal.unavailable(.path(.cltvExpiryDeltaTooLarge))) { try await paths() }
        try await say(isPublic: false, [relay(10, delta: .max), relay(11)])
        #expect(try await paths().map(\.path.introductionNode) == [.node(try relay(11).nodeID)])
    }

    @Test("Without any peer the request can be retried later")
    func nobody() async throws {
        try await say(isPublic: false, [])
        await #expect(throws: RequestRefusal.unavailable(.nodeNotReachable)) { try await paths() }
        #expect(RequestRefusal.unavailable(.nodeNotReachable).isTransient)
    }
}
