import BlindedPaths
import CoreMetrics
import LightningCoding
import LightningCrypto
import Logging
import OnionMessages
import OnionPeer
import Waiting

/// A node on loopback: forwards messages for others, and answers its own.
struct LightningNode: Sendable {
    /// A node's answer to a request; nil for none.
    typealias Payee = @Sendable (ReceivedMessage) throws -> MessageContent?

    let key: SecretKey
    let listening: ListenAddress
    private let node: PeerNode

    /// `<node id>@127.0.0.1:port`
    var address: PeerAddress { PeerAddress(nodeID: key.publicKey, host: listening) }

    /// Runs a node while the body runs.
    ///
    /// - `peers`: the nodes that it connects to.
    /// - `prelude`: a message sent to the requester before the answer.
    static func run<Value: Sendable>(
        key byte: UInt8, peers: [PeerAddress] = [], payee: @escaping Payee = { _ in nil },
        prelude: @escaping @Sendable (PublicKey) throws -> OnionMessage? = { _ in nil },
        _ body: @Sendable (LightningNode) async throws -> Value
    ) async throws -> Value {
        let key = try Issuer.key(byte)
        var settings = PeerNodeSettings(key: key, network: .bitcoin)
        settings.listen = ListenAddress(host: "127.0.0.1", port: 0)
        settings.peers = peers
        let node = PeerNode(
            settings, metrics: PeerMetrics(NOOPMetricsHandler.instance),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let (addresses, isListening) = AsyncStream<ListenAddress>.makeStream()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await node.run { isListening.yield($0) } }
            guard let address = await addresses.first(where: { _ in true }) else { throw CancellationError() }
            let running = LightningNode(key: key, listening: address, node: node)
            group.addTask {
                for await arrived in node.arrivals { try? running.take(arrived, payee, prelude) }
            }
            for peer in peers { try await running.wait(for: peer.nodeID) }
            let value = try await body(running)
            group.cancelAll()
            return value
        }
    }

    private func take(
        _ arrived: ArrivedMessage, _ payee: Payee, _ prelude: (PublicKey) throws -> OnionMessage?
    ) throws {
        switch try OnionMessage(body: arrived.body[...]).peeled(by: key) {
        case .forward(let next, .node(let id)):
            node.links(with: id).first?.send(next.body)
        case .forward:
            break
        case .received(let message):
            guard let replyPath = message.replyPath, let content = try payee(message) else { return }
            let routes = try MessageRoutes(
                over: replyPath, from: key, peers: node.nodes, source: arrived.link.remote)
            guard let route = routes.throughPeers.first else { return }
            if let message = try prelude(arrived.link.remote) { arrived.link.send(message.body) }
            node.links(with: route.firstNode).first?.send(
                try route.message(content, random: SystemRandom.bytes).body)
        }
    }

    /// Waits until a node is connected.
    private func wait(for id: PublicKey) async throws {
        try await eventually { node.nodes.contains(id) }
    }
}
