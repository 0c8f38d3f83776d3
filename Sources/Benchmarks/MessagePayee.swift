import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto
import OnionMessages
import ResponderCore

/// Answers onion messages as our peer does, from the bytes that arrive to those that leave: without a ledger, and with a node
/// that has its BOLT11 invoice ready. The answer goes back through the peer that brought the question, over a hop of ours.
struct MessagePayee {
    /// What follows the type of a message that asks for an invoice.
    let question: [UInt8]

    private let payee: OfferPayee
    private let peer: PublicKey

    struct Unanswerable: Error {}

    init() throws {
        let peerKey = try SecretKey.random()
        peer = peerKey.publicKey
        payee = try OfferPayee(way: .introduction(peer, withIssuerID: true))
        // The way back has one hop, that of a payer who is known to our peer.
        let payerKey = try SecretKey.random()
        let back = try MessagePath.route(
            to: payerKey.publicKey, pathID: SecretBytes(SystemRandom.bytes(MessageQuestion.pathIDCount))
        ).blinded(secret: .random())
        guard let path = payee.offer.paths?.first else { throw Unanswerable() }
        let sent = try OnionMessage(
            over: path, content: .invoiceRequest(RequestBatch(for: payee.offer).next().stream.bytes),
            replyPath: back, sessionKey: .random())
        guard case .forward(let message, _) = try sent.peeled(by: peerKey) else { throw Unanswerable() }
        question = message.body
    }

    /// What follows the type of the message that answers, for our peer.
    func answer(_ body: [UInt8]) throws -> [UInt8] {
        guard case .received(let message) = try OnionMessage(body: body[...]).peeled(by: payee.nodeKey),
            case .invoiceRequest(let request) = message.content, let replyPath = message.replyPath,
            let path = message.pathID.flatMap(payee.issuer.path)
        else { throw Unanswerable() }
        let invoice = try payee.invoice(answering: request, arrival: .viaPath(path.index))
        let routes = try MessageRoutes(over: replyPath, from: payee.nodeKey, peers: [peer], source: peer)
        guard let route = routes.throughPeers.first else { throw Unanswerable() }
        return try route.message(.invoice(invoice), random: SystemRandom.bytes).body
    }

    /// Takes the layer off and no more.
    func peel(_ body: [UInt8]) throws {
        guard case .received = try OnionMessage(body: body[...]).peeled(by: payee.nodeKey) else {
            throw Unanswerable()
        }
    }
}
