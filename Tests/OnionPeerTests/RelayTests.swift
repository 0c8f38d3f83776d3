import LedgerRecords
import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto
import Logging
import LoopbackServer
import OnionMessages
import Platform
import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing
@testable import OnionPeer

/// A payer, a relay connected to both, and an answering payee.
struct Crossing: Sendable {
    static let relayKey = Counterpart.key(0x42)
    static let payerKey = Counterpart.key(0x43)

    let payee: Payee
    let node: PeerNode
    let offer: Offer
    let payer: PeerLink
    let arrivals: AsyncStream<[UInt8]>

    /// Runs all three while a body runs.
    static func run(_ body: @Sendable (Crossing) async throws -> Void) async throws {
        try await run(changing: { _ in }, body)
    }

    /// The same with changed settings of the payee's node.
    static func run(
        changing change: @Sendable (inout PeerNodeSettings) -> Void,
        _ body: @Sendable (Crossing) async throws -> Void
    ) async throws {
        let payee = try await Payee()
        let way = OfferTerms.Way.introduction(relayKey.publicKey, withIssuerID: false)
        let terms = OfferTerms(description: "Tea", amount: Millisatoshi(21_000), way: way)
        let offer = try await payee.responder.issueOffer(terms, for: payee.alice).offer
        try await RunningNode.run(key: relayKey) {
            $0.listen = RunningNode.anyPort
        } _: { relay in
            let address = try #require(relay.address)
            try await RunningNode.run(
                key: Payee.key,
                {
                    $0.peers = [address]
                    change(&$0)
                }, answering: payee.responder
            ) { node in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await forward(relay.node) }
                    try await relay.wait { !$0.nodes.isEmpty }
                    let (payer, arrivals) = try await PeerConnector(network: .regtest).connect(
                        to: address, as: payerKey)
                    try await relay.wait { $0.nodes.count == 2 }
                    try await node.wait { !$0.nodes.isEmpty }
                    let crossing = Crossing(
                        payee: payee, node: node.node, offer: offer, payer: payer, arrivals: arrivals)
                    try await body(crossing)
                    group.cancelAll()
                }
            }
        }
    }

    /// Forwards what arrives, like every node.
    private static func forward(_ relay: PeerNode) async {
        for await arrived in relay.arrivals {
            guard let message = try? OnionMessage(body: arrived.body[...]),
                case .forward(let next, .node(let node))? = try? message.peeled(by: relayKey)
            else { continue }
            relay.readyLink(with: node)?.send(next.body)
        }
    }

    func request(_ metadata: UInt8 = 1, for offer: Offer? = nil) throws -> InvoiceRequest {
        let draft = InvoiceRequestDraft(
            for: offer ?? self.offer, metadata: [UInt8](repeating: metadata, count: 16), chain: ChainHash(.regtest))
        return try draft.signed(by: Counterpart.key(0x44), auxiliaryRandom: nil)
    }

    var relay: PublicKey { Self.relayKey.publicKey }

    /// Sends a message to the payee over the offer's path.
    func send(_ content: MessageContent, replyPath: BlindedPath?) throws {
        let path = try #require(offer.paths?.first)
        payer.send(
            try OnionMessage(over: path, content: content, replyPath: replyPath, sessionKey: SecretKey.random()).body)
    }

    /// The content of the next message that arrives at the payer.
    func answer() async throws -> MessageContent {
        let body = try #require(await arrivals.first { _ in true })
        guard case .received(let received) = try OnionMessage(body: body[...]).peeled(by: Self.payerKey),
            let content = received.content
        else { throw Counterpart.Unexpected() }
        return content
    }

    /// A reply path to the payer, through the relay or directly.
    func back(over relays: [PublicKey], to end: SecretKey = payerKey) throws -> BlindedPath {
        try MessagePath.route(
            to: end.publicKey, through: relays.map { MessagePath.Relay(nodeID: $0) },
            pathID: SecretBytes([1])
        ).blinded(secret: .random())
    }

    /// Fills the queue of the payee's connection with the relay.
    func fillQueue() async throws {
        let link = try #require(node.links(with: relay).first)
        for _ in 0..<2 { link.send([0]) }
        try await RunningNode(node: node, listening: nil).wait { $0.readyLink(with: relay) == nil && link.waiting == 1 }
    }

    /// Waits until the payee has dropped a message for this reason.
    func waitForDrop(_ reason: DropReason) async throws {
        try await RunningNode(node: node, listening: nil).wait { node in
            node.statuses.contains { $0.traffic.dropped[reason] == 1 }
        }
    }
}

@Suite("Across a relay", .timeLimit(.minutes(5)))
struct RelayTests {
    @Test("A payer sends a request over the offer's path, and gets an invoice that it accepts")
    func invoice() async throws {
        try await Crossing.run { crossing in
            let request = try crossing.request()
            let routes = try MessageRoutes(
                over: #require(crossing.offer.paths?.first), from: Crossing.payerKey, peers: [crossing.relay])
            let question = try MessageQuestion(
                .invoiceRequest(request.stream.bytes), over: #require(routes.throughPeers.first),
                answerThrough: crossing.relay, to: Crossing.payerKey, random: SystemRandom.bytes)
            #expect(question.firstNode == crossing.relay)
            crossing.payer.send(question.message.body)
            let body = try #require(await crossing.arrivals.first { _ in true })
            guard case .invoice(let bytes)? = question.answer(in: try OnionMessage(body: body[...])) else {
                throw Counterpart.Unexpected()
            }
            try Bolt12Invoice(bytes: bytes).check(
                answering: request,
                InvoiceReception(arrival: .viaReplyPath, now: .now(), chains: [ChainHash(.regtest)], sentToPath: 0))
        }
    }

    @Test("A reply path that begins at the unknown payer leads through the peer that delivered the request")
    func throughDeliverer() async throws {
        try await Crossing.run { crossing in
            try crossing.send(
                .invoiceRequest(crossing.request().stream.bytes), replyPath: crossing.back(over: []))
            guard case .invoice = try await crossing.answer() else { throw Counterpart.Unexpected() }
        }
    }

    @Test("A reply path that begins at our node continues from there")
    func throughOurselves() async throws {
        try await Crossing.run { crossing in
            let back = try crossing.back(over: [Payee.key.publicKey, crossing.relay])
            try crossing.send(.invoiceRequest(crossing.request().stream.bytes), replyPath: back)
            guard case .invoice = try await crossing.answer() else { throw Counterpart.Unexpected() }
        }
    }

    @Test("An answer that no peer can carry now is sent directly to a node with a configured address")
    func dialled() async throws {
        let key = Counterpart.key(0x47)
        try await RunningNode.run(key: key) {
            $0.listen = RunningNode.anyPort
        } _: { other in
            let address = try #require(other.address)
            try await Crossing.run(changing: Self.oneMessage(at: [address])) { crossing in
                try await crossing.fillQueue()
                try crossing.send(
                    .invoiceRequest(crossing.request().stream.bytes), replyPath: crossing.back(over: [], to: key))
                let arrived = try #require(await other.node.arrivals.first { _ in true })
                guard case .received(let received) = try OnionMessage(body: arrived.body[...]).peeled(by: key),
                    case .invoice? = received.content
                else { throw Counterpart.Unexpected() }
                #expect(arrived.link.remote == Payee.key.publicKey && arrived.link.isIncoming)
            }
        }
    }

    @Test("Without an address, or when none answers, such an answer is dropped, and the reason counted")
    func undialled() async throws {
        let key = Counterpart.key(0x47)
        let nobody = try ClosedPort()
        let address = PeerAddress(nodeID: key.publicKey, host: ListenAddress(host: "127.0.0.1", port: nobody.port))
        for addresses in [[], [address]] {
            try await Crossing.run(changing: Self.oneMessage(at: addresses)) { crossing in
                try await crossing.fillQueue()
                try crossing.send(
                    .invoiceRequest(crossing.request().stream.bytes), replyPath: crossing.back(over: [], to: key))
                try await crossing.waitForDrop(.unreachable)
            }
        }
    }

    /// A node that sends one message per connection, queues one more, and knows these addresses.
    private static func oneMessage(at addresses: [PeerAddress]) -> @Sendable (inout PeerNodeSettings) -> Void {
        { settings in
            settings.addresses = addresses
            settings.limits.departures = RateLimit(burst: 1, interval: .seconds(3_600))
            settings.limits.departureQueue = 1
        }
    }

    @Test("A reply path that begins at an unresolvable channel is not used, and that is counted")
    func channelIntroduction() async throws {
        try await Crossing.run { crossing in
            let known = try crossing.back(over: [crossing.relay])
            let back = try BlindedPath(
                introductionNode: .channel(ShortChannelID(text: "103x1x0"), direction: .node1),
                firstPathKey: known.firstPathKey, hops: known.hops)
            try crossing.send(.invoiceRequest(crossing.request().stream.bytes), replyPath: back)
            try await crossing.waitForDrop(.unknownChannel)
        }
    }

    @Test("The reason of a refusal arrives as text")
    func refusal() async throws {
        try await Crossing.run { crossing in
            _ = try await crossing.payee.ledger.disableOffer(crossing.offer.id, at: .now())
            try crossing.send(
                .invoiceRequest(crossing.request().stream.bytes), replyPath: crossing.back(over: [crossing.relay]))
            guard case .invoiceError(let bytes) = try await crossing.answer() else { throw Counterpart.Unexpected() }
            #expect(try InvoiceError(bytes: bytes).message == "This offer is no longer valid")
        }
    }

    @Test("Without a reply path or a request, nothing is answered")
    func unanswerable() async throws {
        try await Crossing.run { crossing in
            try crossing.send(.invoiceRequest(crossing.request().stream.bytes), replyPath: nil)
            try await crossing.waitForDrop(.noReplyPath)
            try crossing.send(.invoiceError([5, 1, 65]), replyPath: crossing.back(over: [crossing.relay]))
            try await crossing.waitForDrop(.noRequest)
        }
    }

    @Test("A path that we did not create is not answered, whatever the request")
    func strangePath() async throws {
        try await Crossing.run { crossing in
            let path = try MessagePath.route(
                to: Payee.key.publicKey, through: [MessagePath.Relay(nodeID: crossing.relay)],
                pathID: SecretBytes([UInt8](repeating: 9, count: 32))
            ).blinded(secret: .random())
            let message = try OnionMessage(
                over: path, content: .invoiceRequest(crossing.request().stream.bytes),
                replyPath: crossing.back(over: [crossing.relay]), sessionKey: .random())
            crossing.payer.send(message.body)
            try await crossing.waitForDrop(.strangePath)
        }
    }

    @Test("An onion that loops through us is dropped, and one that leads on is not forwarded")
    func loops() async throws {
        try await Crossing.run { crossing in
            func send(through nodes: [PublicKey], to end: PublicKey) throws {
                let path = try MessagePath.route(
                    to: end, through: nodes.map { MessagePath.Relay(nodeID: $0) }, pathID: nil, isPadded: false
                ).blinded(secret: .random())
                let message = try OnionMessage(
                    over: path, content: nil, replyPath: nil, size: .large, sessionKey: .random())
                crossing.payer.send(message.body)
            }
            let own = Payee.key.publicKey
            try send(through: [crossing.relay] + [PublicKey](repeating: own, count: 40), to: own)
            try await crossing.waitForDrop(.notForUs)
            try send(through: [crossing.relay, own], to: Crossing.payerKey.publicKey)
            try await RunningNode(node: crossing.node, listening: nil).wait { node in
                node.statuses.contains { $0.traffic.dropped[.notForUs] == 2 }
            }
            #expect(crossing.node.statuses.first?.traffic.onionsOut == 0)
        }
    }

    @Test(
        "Bytes that are not an onion, or not for us, are dropped",
        arguments: [[], [1, 2, 3], [UInt8](repeating: 2, count: 1_500)])
    func badOnion(bytes: [UInt8]) async throws {
        try await Crossing.run { crossing in
            // The relay forwards only what it can parse; this is sent to us directly.
            let direct = Counterpart.key(0x45)
            try await RunningNode.run(key: direct) {
                $0.listen = RunningNode.anyPort
            } _: { hostile in
                let address = try #require(hostile.address)
                try await RunningNode.run(key: Counterpart.key(0x46)) {
                    $0.peers = [address]
                } _: { victim in
                    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                    try await hostile.wait { !$0.nodes.isEmpty }
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            await OnionAnswerer(
                                node: victim.node, logger: logger, answer: crossing.payee.responder.answer
                            ).run()
                        }
                        hostile.node.readyLink(with: Counterpart.key(0x46).publicKey)?.send(bytes)
                        try await victim.wait { node in
                            node.statuses.contains { $0.traffic.dropped[.badOnion] == 1 }
                        }
                        group.cancelAll()
                    }
                }
            }
        }
    }
}
