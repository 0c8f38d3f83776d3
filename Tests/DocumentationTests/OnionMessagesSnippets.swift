import BlindedPaths
import LightningCrypto
import OnionMessages
import Testing

/// The code of the article of `OnionMessages`.
@Suite("The article on replies to onion messages", .timeLimit(.minutes(5)))
struct OnionMessagesSnippets {
    private let payerKey: SecretKey
    private let relayKey: SecretKey
    private let nodeKey: SecretKey

    init() throws {
        payerKey = try SecretKey([UInt8](repeating: 1, count: 32))
        relayKey = try SecretKey([UInt8](repeating: 2, count: 32))
        nodeKey = try SecretKey([UInt8](repeating: 3, count: 32))
    }

    /// The path to us, as an offer names it.
    private func offeredPath(_ pathID: SecretBytes) throws -> BlindedPath {
        let (nodeKey, relay) = (nodeKey, relayKey.publicKey)
        // snippet: making a path
        let route = try MessagePath.route(
            to: nodeKey.publicKey, through: [MessagePath.Relay(nodeID: relay)], pathID: pathID)
        let path = try route.blinded(secret: SecretKey.random())
        // end
        return path
    }

    private func question(over path: BlindedPath, _ request: [UInt8]) throws -> MessageQuestion {
        let (payerKey, relay) = (payerKey, relayKey.publicKey)
        // snippet: asking
        let routes = try MessageRoutes(over: path, from: payerKey, peers: [relay])
        let question = try MessageQuestion(
            .invoiceRequest(request), over: routes.throughPeers[0], answerThrough: relay, to: payerKey,
            random: SystemRandom.bytes)
        // Send question.message to question.firstNode.
        // end
        return question
    }

    private func forwarded(_ message: OnionMessage) throws -> (OnionMessage, to: PublicKey) {
        guard case .forward(let next, to: .node(let node)) = try message.peeled(by: relayKey) else {
            throw NotForwarded()
        }
        return (next, node)
    }

    private struct NotForwarded: Error {}

    // snippet: replying
    func reply(
        to message: OnionMessage, from peer: PublicKey, over pathID: SecretBytes, nodeKey: SecretKey
    ) throws -> (OnionMessage, to: PublicKey)? {
        guard case .received(let received) = try message.peeled(by: nodeKey),
            received.pathID == pathID,
            case .invoiceRequest(let request) = received.content,
            let replyPath = received.replyPath
        else { return nil }
        let routes = try MessageRoutes(over: replyPath, from: nodeKey, peers: [peer], source: peer)
        guard let route = routes.throughPeers.first else { return nil }
        let reply = try route.message(.invoice(invoice(for: request)), random: SystemRandom.bytes)
        return (reply, to: route.firstNode)
    }
    // end

    private func invoice(for request: [UInt8]) -> [UInt8] { request + [0xff] }

    @Test("The reply reaches the payer, and nobody else can read it")
    func replying() throws {
        let relay = relayKey.publicKey
        let pathID = SecretBytes(try SystemRandom.bytes(32))
        let question = try question(over: offeredPath(pathID), [1, 2, 3])
        #expect(question.firstNode == relay)
        let (arriving, node) = try forwarded(question.message)
        #expect(node == nodeKey.publicKey)

        let (reply, first) = try #require(try self.reply(to: arriving, from: relay, over: pathID, nodeKey: nodeKey))
        #expect(first == relay)
        let (back, payer) = try forwarded(reply)
        #expect(payer == payerKey.publicKey)
        // snippet: reading the reply
        let answer = question.answer(in: back)
        // end
        #expect(answer == .invoice([1, 2, 3, 0xff]))
        #expect(question.answer(in: reply) == nil)
    }

    @Test("A message over another path gets no reply")
    func otherPath() throws {
        let question = try question(over: offeredPath(SecretBytes([1])), [1, 2, 3])
        let arriving = try forwarded(question.message).0
        #expect(try reply(to: arriving, from: relayKey.publicKey, over: SecretBytes([2]), nodeKey: nodeKey) == nil)
    }
}
