import BlindedPaths
import LightningCrypto
package import Logging
package import OnionMessages
import Platform
package import ResponderModel

package struct OnionAnswerer: Sendable {
    private let node: PeerNode
    private let answer: @Sendable (ReceivedMessage) async -> MessageAnswer
    private let logger: Logger
    /// Any stranger can cause these log lines.
    private let lines = RepeatedLines<String>()

    /// Creates an answerer; it must be the only reader of the node's arrivals.
    package init(
        node: PeerNode, logger: Logger, answer: @escaping @Sendable (ReceivedMessage) async -> MessageAnswer
    ) {
        self.node = node
        self.answer = answer
        self.logger = logger
    }

    /// Answers until the node stops or the task is canceled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for await arrived in node.arrivals {
                guard let message = opened(arrived) else { continue }
                group.addTask {
                    defer { arrived.place.free() }
                    await reply(to: message, of: arrived)
                }
            }
        }
    }

    /// The message, if it ends at one of our keys. We do not forward messages.
    private func opened(_ arrived: ArrivedMessage) -> ReceivedMessage? {
        let own = arrived.link.own.publicKey
        do throws(OnionFault) {
            var message = try OnionMessage(body: arrived.body[...])
            var key: SecretKey? = arrived.link.own
            for _ in 0...OnionMessage.maximumOwnHops {
                guard let peeling = key else { break }
                switch try message.peeled(by: peeling) {
                case .received(let received): return received
                case .forward(let next, .node(let node)) where node != own:
                    key = self.node.keys.first { $0.publicKey == node }
                    message = next
                case .forward: key = nil
                }
            }
            note(.notForUs, arrived)
        } catch {
            note(error == .loop ? .notForUs : .badOnion, arrived)
            logger.debug(
                "onion message not for us", metadata: ["peer": "\(arrived.link.remote)", "cause": "\(error.reason)"])
        }
        return nil
    }

    private func reply(to message: ReceivedMessage, of arrived: ArrivedMessage) async {
        switch await answer(message) {
        case .reply(let content, let path, let refusal):
            if let reason = await send(content, over: path, to: arrived) { return note(reason, arrived) }
            node.metrics.noteAnswer(after: MonotonicTime.now - arrived.arrivedAt)
            say("answered over Lightning", ["refusal": .string(refusal?.reason ?? "none")], by: arrived.link.remote)
        case .silence(let silence):
            note(DropReason(silence), arrived)
            say("request over Lightning not answered", ["cause": "\(silence.reason)"])
        }
    }

    /// Sends an answer by the first route with capacity for it; else says why it was not sent.
    private func send(
        _ content: MessageContent, over path: BlindedPath, to arrived: ArrivedMessage
    ) async -> DropReason? {
        let routes: MessageRoutes
        do throws(MessageRoutes.Fault) {
            routes = try MessageRoutes(
                over: path, from: arrived.link.own, peers: node.nodes, source: arrived.link.remote)
        } catch {
            say("no route for an answer", ["cause": "\(error.reason)"])
            if case .unknownChannel = error { return .unknownChannel }
            return .unreachable
        }
        for route in routes.throughPeers {
            if let link = node.readyLink(with: route.firstNode), send(content, by: route, link) { return nil }
        }
        guard let route = routes.afterConnecting, let link = await node.dial(route.firstNode),
            send(content, by: route, link)
        else { return .unreachable }
        return nil
    }

    private func send(_ content: MessageContent, by route: MessageRoute, _ link: PeerLink) -> Bool {
        do throws(OnionBuildingFault) {
            link.send(try route.message(content, random: node.random).body)
            return true
        } catch {
            say("answer not created", ["cause": "\(error.reason)"], .warning)
            return false
        }
    }

    /// - Parameter peer: the last of those who caused such a line; they are free to have many keys.
    private func say(
        _ message: Logger.Message, _ words: Logger.Metadata, by peer: PublicKey? = nil, _ level: Logger.Level = .info
    ) {
        lines.note("\(message) \(words)".withoutDigits) { [logger] times in
            var words = words
            if let peer { words["peer"] = "\(peer)" }
            if times > 1 { words["times"] = "\(times)" }
            logger.log(level: level, message, metadata: words)
        }
    }

    private func note(_ reason: DropReason, _ arrived: ArrivedMessage) {
        node.metrics.note(reason)
        arrived.link.meter.note { $0.dropped[reason, default: 0] &+= 1 }
    }
}

extension DropReason {
    /// Why a request was not answered.
    init(_ silence: MessageSilence) {
        switch silence {
        case .notARequest: self = .noRequest
        case .noReplyPath: self = .noReplyPath
        case .unknownPath, .notForUs: self = .strangePath
        case .notNow: self = .trouble
        }
    }
}
