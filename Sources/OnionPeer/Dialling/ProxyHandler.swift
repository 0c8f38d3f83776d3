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
