import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto
import OnionMessages
import OnionPeer

/// Sends an invoice request over an offer's paths, one after the other, and receives the answer.
struct InvoiceConversation: Sendable {
    /// A request, and the index of the offer's path over which it is sent; nil for an offer without paths.
    private typealias Question = (message: MessageQuestion, path: Int?)

    /// The key that identifies us to the connected node, and to which answers are sent.
    let nodeKey: SecretKey
    private let questions: [Question]

    /// Encrypts the request for each path of the offer that is reachable through `peer`, first those that begin there.
    ///
    /// Throws `noWay`, `tooLong` or `noRandomness`.
    init(_ request: InvoiceRequest, for offer: Offer, through peer: PublicKey) throws(ToolFault) {
        nodeKey = try .fresh()
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
            questions.insert((question, index), at: begins ? 0 : questions.endIndex)
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
    func answer(
        over link: PeerLink, _ arrivals: AsyncStream<[UInt8]>, within time: Duration
    ) async throws(ToolFault) -> (Bolt12Invoice, path: Int?) {
        let first = await withTaskGroup(of: Result<(MessageContent, path: Int?), ToolFault>.self) { group in
            group.addTask {
                for await body in arrivals {
                    if let answer = answer(in: body) { return .success(answer) }
                }
                return .failure(.peerLost)
            }
            group.addTask {
                await sendAll(over: link, within: time)
                return .failure(.noMessage)
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? .failure(.noMessage)
        }
        let (content, path) = try first.get()
        guard case .invoice(let bytes) = content else {
            let error = try rethrowing(InvoiceError(bytes: content.bytes), as: ToolFault.servedInvoiceError)
            throw .messageRefused(reason: error.message)
        }
        return (try rethrowing(Bolt12Invoice(bytes: bytes), as: ToolFault.servedBolt12Invoice), path)
    }

    /// An invoice or a refusal in a message, and the path of the request that it answers.
    private func answer(in body: [UInt8]) -> (MessageContent, path: Int?)? {
        guard let message = try? OnionMessage(body: body[...]),
            case .received(let received)? = try? message.peeled(by: nodeKey)
        else { return nil }
        for (question, path) in questions {
            switch question.answer(in: received) {
            case .invoice(let bytes)?: return (.invoice(bytes), path)
            case .invoiceError(let bytes)?: return (.invoiceError(bytes), path)
            case .invoiceRequest?, nil: continue
            }
        }
        return nil
    }

    /// The time is divided evenly: nodes do not report that a path is dead.
    private func sendAll(over link: PeerLink, within time: Duration) async {
        for question in questions {
            link.send(question.message.message.body)
            try? await Task.sleep(for: time / questions.count)
            if Task.isCancelled { return }
        }
    }
}
