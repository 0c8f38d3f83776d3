import NIOCore
import Registrations

/// Tells whoever waits for an answer that the client has closed the connection, or its side of it: with its request it has
/// sent all that it will, but hardly a payer who is still there closes.
final class CloseNotice: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let connection: PayerConnection

    init(_ connection: PayerConnection) {
        self.connection = connection
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.inputClosed) = event as? ChannelEvent { connection.close() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.close()
        context.fireChannelInactive()
    }
}
