import ResponderCore
import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto
import OnionMessages

/// Answers onion messages like our peer, from the received to the sent bytes: without a ledger, and with a node that
/// has its BOLT11 invoice ready. The answer is routed through the peer that delivered the request, over a hop of ours.
struct MessagePayee {
    /// The body of an onion message that requests an invoice.
    let question: [UInt8]

    private let payee: OfferPayee
    private let peer: PublicKey

    struct Unanswerable: Error {}

    init() throws {
        let peerKey = try SecretKey.random()
        peer = peerKey.publicKey
        payee = try OfferPayee(way: .introduction(peer, withIssuerID: true))
        // The reply path has one hop: a payer known to our peer.
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

    /// The body of the answering onion message, for our peer.
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

    /// Only peels the layer.
    func peel(_ body: [UInt8]) throws {
        guard case .received = try OnionMessage(body: body[...]).peeled(by: payee.nodeKey) else {
            throw Unanswerable()
        }
    }
}
