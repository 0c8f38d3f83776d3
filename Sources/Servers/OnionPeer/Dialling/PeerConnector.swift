package import LightningCoding
package import LightningCrypto
import Platform
package import NIOCore
import NIOPosix
import NIOSOCKS
package import OnionMessages

package struct PeerConnector: Sendable {
    private let network: Network?
    private let limits: PeerLimits
    private let proxy: ListenAddress?
    private let group: any EventLoopGroup

    /// Creates a connector.
    ///
    /// - Parameters:
    ///   - network: the chain that both sides must be on; nil for any.
    ///   - proxy: a SOCKS 5 proxy, such as Tor, for all connections and name lookups. It has as long to connect as the
    ///     peer has afterwards to complete the opening.
    package init(
        network: Network?, limits: PeerLimits = PeerLimits(), proxy: ListenAddress? = nil,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) {
        self.network = network
        self.limits = limits
        self.proxy = proxy
        self.group = group
    }

    /// Opens a connection; returns once both sides have sent `init`.
    ///
    /// - Returns: the connection and its incoming onion messages, each without its type. The stream ends with the
    ///   connection; unread messages beyond its buffer are dropped.
    /// - Throws: why it could not be opened.
    package func connect(
        to address: PeerAddress, as key: SecretKey
    ) async throws(ConnectionEnd) -> (link: PeerLink, arrivals: AsyncStream<[UInt8]>) {
        let (arrivals, arrival) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(64))
        let events = ConnectionEvents(
            opened: { _ in },
            arrived: { _, body in if case .enqueued = arrival.yield(body) { true } else { false } },
            ended: { _, _, _ in arrival.finish() })
        return (try await connect(to: address, as: key, events), arrivals)
    }

    /// Opens a connection; returns once both sides have sent `init`.
    func connect(
        to address: PeerAddress, as key: SecretKey, _ told: ConnectionEvents
    ) async throws(ConnectionEnd) -> PeerLink {
        let result = FirstAnswer<Result<PeerLink, ConnectionEnd>>()
        var events = told
        events.opened = { link in
            told.opened(link)
            result.give(.success(link))
        }
        events.ended = { node, link, end in
            told.ended(node, link, end)
            result.give(.failure(end))
        }
        let channel = try await open(to: address, as: key, events)
        let opening = await withTaskCancellationHandler {
            await result.value()
        } onCancel: {
            result.give(.failure(.closedByUs))
            channel.close(promise: nil)
        }
        return try opening.get()
    }

    /// Opens the socket; everything else is reported to `events`.
    func open(
        to address: PeerAddress, as key: SecretKey, _ events: ConnectionEvents
    ) async throws(ConnectionEnd) -> any Channel {
        let bootstrap = ClientBootstrap(group: group)
            .connectTimeout(.init(limits.opening))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { [network, limits, proxy] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if proxy != nil {
                        try pipeline.addHandler(SOCKSClientHandler(targetAddress: ProxyHandler.target(address.host)))
                        try pipeline.addHandler(ProxyHandler(timeout: limits.opening))
                    }
                    try pipeline.addHandler(
                        PeerHandler(
                            .initiator(of: address.nodeID), key: key, host: address.host.description, network: network,
                            limits: limits, events: events))
                }
            }
        let target = proxy ?? address.host
        do {
            return try await bootstrap.connect(host: target.host, port: Int(target.port)).get()
        } catch {
            let fault = NetworkFault(error)
            throw proxy == nil ? .network(fault) : .proxy(.notReached(fault))
        }
    }
}
