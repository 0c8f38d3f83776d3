import CoreMetrics
import HTTPService
import ServiceSetup
import LightningCoding
import LightningCrypto
import Logging
import OnionMessages
import OnionPeer
import Platform
import ResponderCore
import ResponderModel
import ServiceLifecycle

/// Our own Lightning peer as a service, while this instance holds the lease `onion`: two connections with one node id
/// would push each other out.
final class LightningPeers: Service, ServiceFeature {
    let settings: PeerNodeSettings
    private let responder: Responder
    private let instance: ServiceInstance
    private let metrics: PeerMetrics
    private let logger: Logger
    private let state = Guarded(State())

    private struct State {
        var node: PeerNode?
        var isStopping = false
        /// Why it could not listen.
        var failure: CommandFailure?
    }

    /// Nil when no peer is configured.
    init?(
        _ installation: Installation, _ responder: Responder, _ instance: ServiceInstance,
        metrics: any MetricsFactory, logger: Logger
    ) async throws(CommandFailure) {
        let configuration = installation.configuration.onionPeer
        guard installation.configuration.hasOnionPeer else { return nil }
        let network = try await installation.configuration.peerChain { name throws(BackendFault) in
            guard let backend = installation.backends[name] else { throw .unreachable("not configured") }
            return try await backend.nodeInfo().network
        }
        if network == nil {
            logger.warning(
                "no chain is announced to Lightning peers, since no node answers; set `network` of each entry of `backends`"
            )
        }
        var settings = PeerNodeSettings(key: try installation.folder.responderKey(), network: network)
        settings.peers = configuration.connect
        settings.connectionsPerPeer = Int(clamping: configuration.connections)
        settings.listen = configuration.listen
        settings.maximumIncoming = Int(clamping: configuration.maximumIncoming)
        settings.requests = ServiceConfiguration.limit(installation.configuration.rates.network)
        settings.proxy = configuration.proxy
        settings.addresses = configuration.addresses
        self.settings = settings
        self.responder = responder
        self.instance = instance
        self.metrics = PeerMetrics(metrics)
        self.logger = logger
    }

    var reporter: PeerReporter {
        var wanted: [PublicKey] = []
        for address in settings.peers where !wanted.contains(address.nodeID) { wanted.append(address.nodeID) }
        return PeerReporter(
            wanted: wanted, introductions: { [self] in node?.introductions },
            connections: { [self] in node?.statuses.map(\.json) ?? [] })
    }

    var services: [any Service] { [self] }

    /// One per connection, and some for short-lived ones.
    var descriptors: Int {
        let (called, overflow) = settings.peers.count.multipliedReportingOverflow(by: settings.connectionsPerPeer)
        let incoming = settings.listen == nil ? 0 : min(settings.maximumIncoming, 1 << 20)
        return min(overflow ? .max : called, 1 << 20) + incoming + settings.addresses.count + 1
    }

    private var node: PeerNode? { state.withLock { $0.node } }

    /// Runs until shutdown, then answers what has arrived and writes those answers.
    func run() async throws {
        let hasEnded = FirstAnswer<Void>()
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { [self] in await instance.holding(.onion) { [self] _ in await connect(hasEnded) } }
                    group.addTask { await hasEnded.value() }
                    await group.next()
                    hasEnded.give(())
                    group.cancelAll()
                }
            } onGracefulShutdown: { [state] in
                let node = state.withLock { state in
                    state.isStopping = true
                    return state.node
                }
                if let node { node.stop() } else { hasEnded.give(()) }
            }
        } onCancel: {
            hasEnded.give(())
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Is the peer until canceled or shut down.
    private func connect(_ hasEnded: FirstAnswer<Void>) async {
        let node = PeerNode(settings, metrics: metrics, logger: logger)
        let isWanted = state.withLock { state in
            if !state.isStopping { state.node = node }
            return !state.isStopping
        }
        guard isWanted else {
            hasEnded.give(())
            return
        }
        do throws(NetworkFault) {
            try await node.run(answering: OnionAnswerer(node: node, logger: logger, answer: responder.answer)) {
                [logger] address in
                logger.info("Lightning peer listens", metadata: ["address": "\(address)"])
            }
        } catch {
            let address = settings.listen.map { "\($0)" } ?? ""
            let reason = "cannot listen on \(address) for Lightning peers: \(error.readableReason)"
            logger.error("\(reason)")
            // The instance that was the peer before may still be listening there.
            if instance.terms.isAlone { state.withLock { $0.failure = CommandFailure(.unavailable, reason) } }
        }
        let isOver = state.withLock { state in
            state.node = nil
            return state.isStopping || state.failure != nil
        }
        if isOver { _ = hasEnded.give(()) }
    }
}

extension PeerStatus {
    /// One connection, as the operator sees it. Times are in seconds, rates in messages a minute.
    var json: JSONValue {
        let (word, seconds) = stateWords
        return [
            "nodeID": .string(nodeID.hexadecimal), "address": .string(host), "incoming": .bool(isIncoming),
            "key": .string(own.hexadecimal), "state": .string(word), "seconds": seconds.map { .integer($0) } ?? .null,
            "onionMessages": features.map { .bool($0.has(.onionMessages)) } ?? .null,
            "features": features.map { .array($0.bits.map { .integer($0) }) } ?? .null,
            "moreFeatures": features.map { .bool($0.hasMore) } ?? .null,
            "bytesIn": .unsigned(traffic.bytesIn), "bytesOut": .unsigned(traffic.bytesOut),
            "messagesIn": .unsigned(traffic.onionsIn), "messagesOut": .unsigned(traffic.onionsOut),
            "perMinuteIn": .unsigned(traffic.onionsInLastMinute),
            "perMinuteOut": .unsigned(traffic.onionsOutLastMinute),
            "waiting": .integer(waiting), "dropped": .object(dropped),
            "warning": .text(traffic.warning),
            "lastError": .text(lastEnd?.reason),
        ]
    }

    private var stateWords: (String, seconds: Int?) {
        switch state {
        case .connecting: ("connecting", nil)
        case .open(let time): ("open", Int(time / .seconds(1)))
        case .waiting(let time): ("waiting", Int((time / .seconds(1)).rounded(.up)))
        }
    }

    private var dropped: JSONObject {
        traffic.dropped.sorted { $0.key.rawValue < $1.key.rawValue }.reduce(into: [:]) { object, entry in
            object.append(entry.key.rawValue, .unsigned(entry.value))
        }
    }
}
