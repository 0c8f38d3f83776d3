public import Hummingbird
import LightningCoding
import NIOCore

/// What travels with a request through the routes: the framework's own, and who is connected.
public struct ServiceContext: RequestContext {
    /// The framework's part: logger with the request's id, parameters of the path.
    public var coreContext: CoreRequestContextStorage

    private let channel: any Channel

    /// The address at the other end of the connection: a client's, or a proxy's.
    var peer: IPAddress? {
        // A zone behind the address says on which link of ours it lies.
        channel.remoteAddress?.ipAddress.flatMap { IPAddress(String($0.prefix { $0 != "%" })) }
    }

    /// Begins a request.
    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}
