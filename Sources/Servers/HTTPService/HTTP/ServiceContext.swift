package import Hummingbird
import LightningCoding
import Logging
import NIOCore
import ResponderModel

/// The context of a request: the framework's own, and who has sent it.
package struct ServiceContext: RequestContext {
    /// The framework's part: logger, path parameters.
    package var coreContext: CoreRequestContextStorage

    /// The address at the other end of the connection, a client or a proxy; nil when it was gone before the connection was
    /// accepted.
    let peer: IPAddress?
    /// Who waits at the other end; nil in tests without a socket.
    let payer: PayerConnection?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        (peer, payer) = (ClientConnection(source.channel).peer, nil)
    }

    init(_ channel: any Channel, _ client: ClientConnection, _ logger: Logger) {
        coreContext = .init(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        (peer, payer) = (client.peer, client.payer)
    }
}

/// A connection of a client. Its address is taken when it is accepted: a socket that was reset no longer has one, while
/// requests that came before are still answered.
struct ClientConnection: Sendable {
    let peer: IPAddress?
    let payer = PayerConnection()

    init(_ channel: any Channel) {
        // A zone after the address names one of our own interfaces.
        peer = channel.remoteAddress?.ipAddress.flatMap { IPAddress(String($0.prefix { $0 != "%" })) }
    }
}
