import Settings
import ServiceSetup
import HTTPService
import CoreMetrics
import LightningCoding
import LightningCrypto
import Logging
import OnionMessages
import OnionPeer
import Contracts
import ResponderCore
import ServiceLifecycle

/// Our own Lightning peer as a service: its connections, and the answers to messages.
struct LightningPeers: Service {
    let node: PeerNode
    private let answerer: OnionAnswerer
    private let logger: Logger

    /// Nil when no peer is configured.
    init?(
        _ installation: Installation, _ responder: Responder, metrics: any MetricsFactory, logger: Logger
    ) async throws(CommandFailure) {
        let configuration = installation.configuration.onionPeer
        guard installation.configuration.hasOnionPeer else { return nil }
        let network = try await installation.configuration.peerChain { name throws(BackendFault) in
            guard let backend = installation.backends[name] else { throw .unreachable("not configured") }
            return try await backend.nodeInfo().network
        }
        if network == nil {
            logger.warning(
                "Lightning peers are told no chain: no node answers; `network` below each in `backends` says it beforehand"
            )
        }
        var settings = PeerNodeSettings(key: try installation.folder.responderKey(), network: network)
        settings.peers = configuration.connect
        settings.connectionsPerPeer = Int(clamping: configuration.connections)
        settings.listen = configuration.listen
        settings.maximumIncoming = Int(clamping: configuration.maximumIncoming)
        settings.proxy = configuration.proxy
        settings.addresses = configuration.addresses
        node = PeerNode(settings, metrics: PeerMetrics(metrics), logger: logger)
        answerer = OnionAnswerer(node: node, responder: responder, logger: logger)
        self.logger = logger
    }

    /// What the admin routes show.
    var window: PeerReporter {
        var wanted: [PublicKey] = []
        for address in node.settings.peers where !wanted.contains(address.nodeID) { wanted.append(address.nodeID) }
        return PeerReporter(
            wanted: wanted, introductions: { [node] in node.introductions },
            connections: { [node] in node.statuses.map(\.json) })
    }

    /// Runs until shutdown, then answers what has arrived and writes those answers.
    func run() async throws {
        try await withGracefulShutdownHandler {
            do throws(NetworkFault) {
                try await node.run(answering: answerer) { [logger] address in
                    logger.info("Lightning peer listens", metadata: ["address": "\(address)"])
                }
            } catch {
                let address = node.settings.listen.map { "\($0)" } ?? ""
                throw CommandFailure(
                    .unavailable, "cannot listen on \(address) for Lightning peers: \(error.readableReason)")
            }
        } onGracefulShutdown: { [node] in
            node.stop()
        }
    }
}
