package import Hummingbird
import LightningCoding
import NIOCore
import ResponderModel

/// The context of a request: the framework's own, and who has sent it.
package struct ServiceContext: RequestContext {
    /// The framework's part: logger with request id, path parameters.
    package var coreContext: CoreRequestContextStorage

    /// The address at the other end of the connection, a client or a proxy; nil when it was gone before the connection was
    /// accepted.
    let peer: IPAddress?
    /// Who waits at the other end; nil in tests without a socket.
    let payer: PayerConnection?

    /// The connection whose requests this task answers: the framework passes on the channel only.
    @TaskLocal static var connection: ClientConnection?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        let connection = Self.connection ?? ClientConnection(source.channel)
        peer = connection.peer
        payer = Self.connection?.payer
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
