import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto
import OnionMessages
import OnionPeer

/// Sends an invoice request over an offer's paths, one after the other, and receives the answer.
struct InvoiceConversation: Sendable {
    struct Answer: Sendable {
        let invoice: Bolt12Invoice
        /// The index of the offer's path over which the request was sent; nil for an offer without paths.
        let path: Int?
    }

    private struct Question: Sendable {
        let message: MessageQuestion
        let path: Int?
    }

    private enum End: Sendable {
        case answered(MessageContent, path: Int?)
        case connectionLost
        case tooLate
    }

    /// The key that identifies us to the connected node, and to which answers are sent.
    let nodeKey: SecretKey
    private let questions: [Question]

    /// Encrypts the request for each path of the offer that is reachable through `peer`, first those that begin there.
    ///
    /// Throws `noWay`, `tooLong` or `noRandomness`.
    init(_ request: InvoiceRequest, for offer: Offer, through peer: PublicKey) throws(ToolFault) {
        nodeKey = try PayerKey.fresh()
        var questions: [Question] = []
        for (index, path) in try Self.paths(of: offer) {
            guard let route = try? MessageRoutes(over: path, from: nodeKey, peers: [peer]).throughPeers.first else {
                continue
            }
            let question: MessageQuestion
            do {
                question = try MessageQuestion(
                    .invoiceRequest(request.stream.bytes), over: route, answerThrough: peer, to: nodeKey,
                    random: SystemRandom.bytes)
            } catch {
                throw error == .noRandomness ? .noRandomness : .tooLongForMessage
            }
            let begins = path.introductionNode == .node(peer)
            questions.insert(Question(message: question, path: index), at: begins ? 0 : questions.endIndex)
        }
        guard !questions.isEmpty else { throw .noWay }
        self.questions = questions
    }

    /// The offer's paths; for an offer without any, a one-hop path to its issuer.
    private static func paths(of offer: Offer) throws(ToolFault) -> [(Int?, BlindedPath)] {
        if let paths = offer.paths { return paths.enumerated().map { ($0.offset, $0.element) } }
        guard let issuer = offer.issuerID else { return [] }
        let path = try rethrowing(
            MessagePath.route(to: issuer, pathID: nil).blinded(secret: SecretKey(random: SystemRandom.bytes)),
            as: ToolFault.noRandomness)
        return [(nil, path)]
    }

    /// Sends the request, and waits for an invoice or a refusal.
    ///
    /// Throws `messageRefused`, `servedBolt12Invoice`, `servedInvoiceError`, `peerLost` or `noMessage`.
    func answer(over connection: PeerConnection, within time: Duration) async throws(ToolFault) -> Answer {
        let end = await withTaskGroup(of: End.self) { group in
            group.addTask { await firstAnswer(in: connection.arrivals) }
            group.addTask { await sendAll(over: connection.link, within: time) }
            let end = await group.next() ?? .tooLate
            group.cancelAll()
            return end
        }
        switch end {
        case .answered(.invoice(let bytes), let path):
            let invoice = try rethrowing(Bolt12Invoice(bytes: bytes), as: ToolFault.servedBolt12Invoice)
            return Answer(invoice: invoice, path: path)
        case .answered(let content, _):
            let error = try rethrowing(InvoiceError(bytes: content.bytes), as: ToolFault.servedInvoiceError)
            throw .messageRefused(reason: error.message)
        case .connectionLost: throw .peerLost
        case .tooLate: throw .noMessage
        }
    }

    private func firstAnswer(in arrivals: AsyncStream<[UInt8]>) async -> End {
        for await body in arrivals {
            guard let message = try? OnionMessage(body: body[...]),
                case .received(let received)? = try? message.peeled(by: nodeKey)
            else { continue }
            for question in questions {
                switch question.message.answer(in: received) {
                case .invoice(let bytes)?: return .answered(.invoice(bytes), path: question.path)
                case .invoiceError(let bytes)?: return .answered(.invoiceError(bytes), path: question.path)
                case .invoiceRequest?, nil: continue
                }
            }
        }
        return .connectionLost
    }

    /// The time is divided evenly: nodes do not report that a path is dead.
    private func sendAll(over link: PeerLink, within time: Duration) async -> End {
        for question in questions {
            link.send(question.message.message.body)
            try? await Task.sleep(for: time / questions.count)
            if Task.isCancelled { break }
        }
        return .tooLate
    }
}
