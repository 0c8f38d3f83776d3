package import LightningCoding
package import LightningCrypto
package import Logging
import NIOCore
import NIOPosix
import OnionMessages
package import Platform

/// Our own Lightning node: it connects to peers, accepts connections, and passes on the onion messages that arrive. It
/// has no channels and keeps no map of the network.
package final class PeerNode: Sendable {
    package let settings: PeerNodeSettings
    /// Onion messages that arrive. There is one reader; those that `MessageAdmission` refuses are dropped.
    package let arrivals: AsyncStream<ArrivedMessage>

    let metrics: PeerMetrics
    let keys: [SecretKey]
    private let arrival: AsyncStream<ArrivedMessage>.Continuation
    private let admission: MessageAdmission
    private let roster: Guarded<PeerRoster>
    private let isStopping = Guarded(false)
    private let dialler: PeerConnector
    let random: RandomSource
    private let logger: Logger

    /// How long a connection opened for an answer lasts.
    static let dialledTime = Duration.seconds(60)

    /// Creates a node; `run()` opens its connections.
    package init(
        _ settings: PeerNodeSettings, metrics: PeerMetrics, logger: Logger,
        random: @escaping RandomSource = SystemRandom.bytes
    ) {
        self.settings = settings
        self.metrics = metrics
        self.logger = logger
        self.random = random
        keys = settings.keys
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        admission = MessageAdmission(settings.requests)
        dialler = PeerConnector(
            network: settings.network, limits: settings.limits, proxy: settings.proxy)
        roster = Guarded(PeerRoster(Self.targets(settings.peers, keys)))
    }

    private static func targets(_ peers: [PeerAddress], _ keys: [SecretKey]) -> [PeerRoster.Target] {
        peers.flatMap { address in keys.map { PeerRoster.Target(address: address, own: $0.publicKey) } }
    }

    package var statuses: [PeerStatus] { roster.withLock { $0.statuses(at: .now) } }

    /// The peers through which requests can reach us now: we have connected to them, they respond, and they support
    /// onion messages.
    package var introductions: [PublicKey] {
        let open = Set(statuses.filter { $0.isIntroduction && $0.own == settings.key.publicKey }.map(\.nodeID))
        return settings.peers.map(\.nodeID).filter { open.contains($0) }
    }

    /// The connections with a node, shortest queue first.
    package func links(with node: PublicKey) -> [PeerLink] {
        roster.withLock { $0.links(with: node) }
    }

    /// The connection with a node with the shortest queue; nil when all queues are full.
    package func readyLink(with node: PublicKey) -> PeerLink? {
        links(with: node).first {
            $0.features.has(.onionMessages) && $0.waiting < settings.limits.departureQueue
        }
    }

    /// All nodes to which onion messages can be sent now: first those that we connected to, in the order of the
    /// settings.
    package var nodes: [PublicKey] {
        let connected = roster.withLock { $0.nodes }
        let called = settings.peers.map(\.nodeID).filter { connected.contains($0) }
        return called + connected.filter { !called.contains($0) }.sorted()
    }

    /// Keeps the connections open until canceled.
    ///
    /// - Parameter onListening: called with the bound listen address.
    /// - Throws: why the listen address cannot be used.
    package func run(onListening: @Sendable (ListenAddress) -> Void = { _ in }) async throws(NetworkFault) {
        let listener = try await listen(onListening)
        await withTaskGroup(of: Void.self) { group in
            for address in settings.peers {
                for key in keys { group.addTask { await self.hold(address, as: key) } }
            }
            if settings.peers.isEmpty { group.addTask { await Self.sleepUntilCanceled() } }
        }
        try? await listener?.close()
        for link in allLinks { link.close() }
        arrival.finish()
    }

    /// Stops accepting work: messages that arrive from now on are dropped, and ended connections are not reopened.
    package func stop() {
        isStopping.withLock { $0 = true }
        arrival.finish()
    }

    var allLinks: [PeerLink] { roster.withLock { $0.allLinks } }

    private static func sleepUntilCanceled() async {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
    }

    private func listen(_ onListening: (ListenAddress) -> Void) async throws(NetworkFault) -> (any Channel)? {
        guard let host = settings.listen else { return nil }
        var events = events { [weak self] node, reason in self?.noteMisbehavior(of: node, reason) }
        events.refusal = { [weak self] node in self?.refusal(of: node) }
        let listener = PeerListener(
            key: settings.key, network: settings.network, limits: settings.limits, maximum: settings.maximumIncoming,
            group: MultiThreadedEventLoopGroup.singleton, events: events)
        let channel = try await listener.listen(at: host)
        let port = channel.localAddress?.port.flatMap { UInt16(exactly: $0) } ?? host.port
        onListening(ListenAddress(host: host.host, port: port))
        return channel
    }

    /// Maintains one connection: opens it, waits for its end, backs off, and repeats.
    private func hold(_ address: PeerAddress, as key: SecretKey) async {
        let target = PeerRoster.Target(address: address, own: key.publicKey)
        var backOff = BackOff()
        while !Task.isCancelled, !isStopping.withLock({ $0 }) {
            roster.withLock { $0.note(target, .connecting) }
            let (end, lasted) = await connect(to: address, as: key)
            let wait = backOff.wait(afterLasting: lasted, misbehaved: end.isMisbehavior, random: random)
            let next = MonotonicTime.now + wait
            roster.withLock { $0.note(target, .until(next), end: end) }
            guard !Task.isCancelled, !isStopping.withLock({ $0 }) else { return }
            logger.info(
                "peer not connected",
                metadata: ["peer": "\(address)", "cause": "\(end.reason)", "seconds-to-wait": "\(wait / .seconds(1))"])
            try? await Task.sleep(for: wait)
        }
    }

    /// Runs one connection; returns its end and how long it was open.
    private func connect(to address: PeerAddress, as key: SecretKey) async -> (ConnectionEnd, Duration) {
        let end = FirstAnswer<(ConnectionEnd, Duration)>()
        let openedAt = Guarded<MonotonicTime?>(nil)
        var events = events { _, reason in
            end.give((reason, openedAt.withLock { $0 }.map { MonotonicTime.now - $0 } ?? .zero))
        }
        let opened = events.opened
        events.opened = { link in
            openedAt.withLock { $0 = .now }
            opened(link)
        }
        let channel: any Channel
        do {
            channel = try await dialler.open(to: address, as: key, events)
        } catch {
            return (error, .zero)
        }
        return await withTaskCancellationHandler {
            await end.value()
        } onCancel: {
            end.give((.closedByUs, .zero))
            channel.close(promise: nil)
        }
    }

    /// A new, short-lived connection to a node, for a message or two. Nil when no address of the node is known, or none
    /// can be reached.
    func dial(_ node: PublicKey) async -> PeerLink? {
        guard let address = (settings.addresses + settings.peers).first(where: { $0.nodeID == node }) else {
            return nil
        }
        do {
            let link = try await dialler.connect(to: address, as: settings.key, events { _, _ in })
            Task {
                try? await Task.sleep(for: Self.dialledTime)
                link.close()
            }
            return link
        } catch {
            logger.info(
                "peer not reachable for an answer", metadata: ["peer": "\(address)", "cause": "\(error.reason)"])
            return nil
        }
    }

    /// The callbacks of every connection.
    func events(ended: @escaping @Sendable (PublicKey?, ConnectionEnd) -> Void) -> ConnectionEvents {
        ConnectionEvents(
            opened: { [weak self] in self?.noteOpening($0) },
            arrived: { [weak self] link, body in self?.take(body, from: link) ?? false },
            departed: { [metrics] in metrics.noteDeparture() },
            dropped: { [metrics] in metrics.note($0) },
            ended: { [weak self] node, link, reason in
                self?.noteEnd(node, link, reason)
                ended(node, reason)
            })
    }

    private func refusal(of node: PublicKey) -> ConnectionEnd? {
        guard !isStopping.withLock({ $0 }) else { return .closedByUs }
        return roster.withLock { $0.isWelcome(node, at: .now) } ? nil : .unwelcome
    }

    /// An incoming peer's identity is known only after the handshake, and so is the node to ban.
    private func noteMisbehavior(of node: PublicKey?, _ reason: ConnectionEnd) {
        guard let node, reason.isMisbehavior else { return }
        roster.withLock { $0.ban(node, at: .now) }
    }

    private func noteOpening(_ link: PeerLink) {
        let (replaced, count) = roster.withLock { roster in (roster.add(link, at: .now), roster.count) }
        for old in replaced { old.close() }
        metrics.setConnections(count)
        // Any stranger can connect, as often as they like.
        logger.log(
            level: link.isIncoming ? .debug : .info,
            "peer connected",
            metadata: [
                "peer": "\(link.remote)@\(link.host)", "incoming": "\(link.isIncoming)",
                "onion-messages": "\(link.features.has(.onionMessages))",
            ])
    }

    private func noteEnd(_ node: PublicKey?, _ link: PeerLink?, _ reason: ConnectionEnd) {
        let count = roster.withLock { roster in
            if let link { roster.remove(link) }
            return roster.count
        }
        metrics.setConnections(count)
        logger.debug(
            "connection ended", metadata: ["peer": "\(node?.hexadecimal ?? "?")", "cause": "\(reason.reason)"])
    }

    private func take(_ body: [UInt8], from link: PeerLink) -> Bool {
        let isChosen = settings.peers.contains { $0.nodeID == link.remote }
        guard let place = admission.admit(isChosen ? nil : link.network, at: .now),
            case .enqueued = arrival.yield(ArrivedMessage(body: body, link: link, place: place))
        else { return false }
        metrics.noteArrival()
        return true
    }
}

package struct ArrivedMessage: Sendable {
    /// The unparsed message after its type.
    package let body: [UInt8]
    package let link: PeerLink
    /// Taken until it is answered.
    let place: SharedSlots.Slot
    package let arrivedAt = MonotonicTime.now
}

extension PeerNode {
    /// Keeps the connections open and answers what arrives, until canceled, or, after `stop()`, until everything that
    /// arrived is answered and all answers are written.
    ///
    /// - Parameter onListening: called with the bound listen address.
    /// - Throws: why the listen address cannot be used.
    package func run(
        answering answerer: OnionAnswerer, onListening: @escaping @Sendable (ListenAddress) -> Void = { _ in }
    ) async throws(NetworkFault) {
        let fault: NetworkFault? = await withTaskGroup(of: NetworkFault?.self) { group in
            group.addTask {
                do throws(NetworkFault) {
                    try await self.run(onListening: onListening)
                    return nil
                } catch {
                    return error
                }
            }
            group.addTask {
                await answerer.run()
                await self.finish()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        if let fault { throw fault }
    }

    /// Closes each connection once its queue is sent, or when canceled; returns when all are closed.
    private func finish() async {
        let links = allLinks
        await withTaskCancellationHandler {
            for link in links { link.finish() }
            for link in links { await link.ended() }
        } onCancel: {
            for link in links { link.close() }
        }
    }
}
