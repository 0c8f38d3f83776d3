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
        let count = ConnectionCount(maximum: maximum)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(AcceptPause()) }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { [key, network, limits, events] channel in
                guard count.enter() else { return channel.eventLoop.makeFailedFuture(ConnectionEnd.full) }
                channel.closeFuture.whenComplete { _ in count.leave() }
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

private final class ConnectionCount: Sendable {
    private let maximum: Int
    private let count = Guarded(0)

    init(maximum: Int) {
        self.maximum = maximum
    }

    func enter() -> Bool {
        count.withLock { count in
            guard count < maximum else { return false }
            count += 1
            return true
        }
    }

    func leave() {
        count.withLock { $0 -= 1 }
    }
}

extension SocketAddress {
    /// `address:port`
    var hostAndPort: String? {
        guard let ipAddress, let port = port.flatMap({ UInt16(exactly: $0) }) else { return nil }
        return ListenAddress(host: ipAddress, port: port).description
    }
}
