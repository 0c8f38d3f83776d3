import LightningCoding
import LightningCrypto
import Platform
import NIOCore
import NIOPosix

struct PeerListener: Sendable {
    let key: SecretKey
    let network: Network?
    let limits: PeerLimits
    /// How many connections may be open at once, including those not yet authenticated.
    let maximum: Int
    let group: any EventLoopGroup
    let events: ConnectionEvents

    func listen(at host: ListenAddress) async throws(NetworkFault) -> any Channel {
        let places = SharedSlots(maximum)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(AcceptPause()) }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { [key, network, limits, events] channel in
                guard let place = try? places.take(for: Self.network(of: channel.remoteAddress)) else {
                    return channel.eventLoop.makeFailedFuture(ConnectionEnd.full)
                }
                channel.closeFuture.whenComplete { _ in place.free() }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        PeerHandler(
                            .responder, key: key, host: channel.remoteAddress?.hostAndPort ?? "", network: network,
                            limits: limits, events: events))
                }
            }
        do {
            return try await bootstrap.bind(host: host.host, port: Int(host.port)).get()
        } catch {
            throw NetworkFault(error)
        }
    }
}

extension PeerListener {
    /// Whose part of the places a connection takes; nil for one from this machine: a proxy or an onion service hides networks.
    static func network(of address: SocketAddress?) -> ClientNetwork? {
        let client = address?.ipAddress.flatMap { IPAddress($0)?.withoutMapping }
        return client?.isLoopback == true ? nil : ClientNetwork(client)
    }
}

extension SocketAddress {
    /// `address:port`
    var hostAndPort: String? {
        guard let ipAddress, let port = port.flatMap({ UInt16(exactly: $0) }) else { return nil }
        return ListenAddress(host: ipAddress, port: port).description
    }
}
