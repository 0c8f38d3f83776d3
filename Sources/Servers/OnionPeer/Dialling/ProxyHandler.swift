import LightningCoding
import NIOCore
import NIOSOCKS

/// Separates the SOCKS 5 handler from ours, which sees the connection only once the proxy has made it: the proxy's time
/// and faults do not count as the peer's.
final class ProxyHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let timeout: TimeAmount
    private var deadline: Scheduled<Void>?
    private var isWaiting = true

    /// - Parameter timeout: how long the proxy may take.
    init(timeout: Duration) {
        self.timeout = .init(timeout)
    }

    /// The target for the proxy. A name is passed on unresolved: only the proxy looks it up.
    static func target(_ host: ListenAddress) throws -> SOCKSAddress {
        guard IPAddress(host.host) != nil else { return .domain(host.host, port: Int(host.port)) }
        return .address(try SocketAddress(ipAddress: host.host, port: Int(host.port)))
    }

    func channelActive(context: ChannelHandlerContext) {
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { self.fail(.silent, context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is SOCKSProxyEstablishedEvent {
            stopWaiting()
            context.fireChannelActive()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.hungUp, context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard isWaiting else { return context.fireErrorCaught(error) }
        fail(ProxyFault(error), context)
    }

    private func fail(_ fault: ProxyFault, _ context: ChannelHandlerContext) {
        guard isWaiting else { return }
        stopWaiting()
        context.fireErrorCaught(ConnectionEnd.proxy(fault))
    }

    private func stopWaiting() {
        isWaiting = false
        deadline?.cancel()
        deadline = nil
    }
}

/// Why a SOCKS 5 proxy (RFC 1928) did not connect us.
package enum ProxyFault: Hashable, Sendable {
    /// The proxy itself could not be reached.
    case notReached(NetworkFault)
    /// It did not finish its part in time.
    case silent
    /// It closed the connection before replying.
    case hungUp
    /// It requires authentication, which is not supported.
    case wantsAuthentication
    /// Its reply is not SOCKS 5.
    case noSOCKS
    /// It refused or failed to connect: the code of its reply.
    case refused(UInt8)

    /// Translates an error that occurs before the proxy has connected us.
    init(_ error: any Error) {
        self =
            switch error {
            case let error as SOCKSError.ConnectionFailed: .refused(error.reply.value)
            case is SOCKSError.InvalidAuthenticationSelection, is SOCKSError.NoValidAuthenticationMethod:
                .wantsAuthentication
            case is SOCKSError.InvalidProtocolVersion, is SOCKSError.InvalidReservedByte,
                is SOCKSError.InvalidAddressType, is SOCKSError.UnexpectedRead, is SOCKSError.InvalidClientState:
                .noSOCKS
            default: .notReached(NetworkFault(error))
            }
    }
}

extension ProxyFault {
    var reason: String {
        switch self {
        case .notReached(let fault): "the proxy could not be reached: \(fault.reason)"
        case .silent: "the proxy did not connect in time"
        case .hungUp: "the proxy closed the connection"
        case .wantsAuthentication: "the proxy requires authentication"
        case .noSOCKS: "the proxy does not speak SOCKS 5"
        case .refused(let code): "the proxy says: \(Self.replies[code] ?? "code \(code)")"
        }
    }

    /// The replies (RFC 1928, section 6). Tor says that it failed of names that it cannot resolve.
    private static let replies: [UInt8: String] = [
        1: "it failed", 2: "not allowed", 3: "the network cannot be reached", 4: "the peer cannot be reached",
        5: "the peer refuses the connection", 6: "the peer does not answer", 7: "it does not make connections",
        8: "it does not support this type of address",
    ]
}
