public import Hummingbird
import LightningCoding
import NIOCore
import Registrations

/// The context of a request: the framework's own, and the peer's address.
public struct ServiceContext: RequestContext {
    /// The framework's part: logger with request id, path parameters.
    public var coreContext: CoreRequestContextStorage

    private let channel: any Channel
    /// Who waits at the other end; nil in tests without a socket.
    let payer: PayerConnection?

    /// The connection whose requests this task answers: the framework passes on the channel only.
    @TaskLocal static var connection: PayerConnection?

    /// The address at the other end of the connection: a client or a proxy.
    var peer: IPAddress? {
        // A zone after the address names one of our own interfaces.
        channel.remoteAddress?.ipAddress.flatMap { IPAddress(String($0.prefix { $0 != "%" })) }
    }

    /// Creates the context of a request.
    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        payer = Self.connection
    }
}
