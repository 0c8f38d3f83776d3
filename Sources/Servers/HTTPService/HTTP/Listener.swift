import Hummingbird
import HummingbirdCore
package import LightningCoding
import Logging
import NIOCore
import ServiceLifecycle
import OnionPeer

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

struct Listener: Service {
    let address: ListenAddress
    let limits: ServiceLimits
    /// The sockets of each client; nil where they are not limited.
    let sockets: ClientSockets?
    /// The response to bytes that are not an HTTP request.
    let unreadable: UnreadableAnswer
    let router: @Sendable () -> Router<ServiceContext>
    let logger: Logger
    /// Whether every response ends its connection.
    let isStopping: @Sendable () -> Bool
    /// Called with the bound address once it listens.
    let onRunning: @Sendable (ListenAddress) -> Void

    func run() async throws {
        let application = Application(
            router: router(),
            server: HTTPServerBuilder {
                ServiceChannel(
                    responder: $0, limits: limits, sockets: sockets, unreadable: unreadable, isStopping: isStopping)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: Int(address.port)),
                backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: logger)
            ),
            onServerRunning: { channel in
                try? await channel.eventLoop.submit {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause(), position: .first)
                }.get()
                let port = channel.localAddress?.port.flatMap { UInt16(exactly: $0) }
                onRunning(ListenAddress(host: address.host, port: port ?? address.port))
            },
            logger: logger.quietAtStop
        )
        do {
            try await application.run()
        } catch let error as IOError {
            throw ListenFault(address: address, code: error.errnoCode)
        }
    }
}

/// Why a listener did not open.
package struct ListenFault: Error, Hashable, Sendable {
    package let address: ListenAddress
    /// The system's error number: in use, not permitted, not a local address.
    package let code: Int32
}

/// How many file descriptors, and so connections, this process may have open.
enum DescriptorLimit {
    /// Raises the limit as far as wanted, up to the hard limit.
    ///
    /// - Returns: the limit now in force; nil when unknown.
    static func raise(to wanted: Int) -> Int? {
        #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
        #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        guard limit.rlim_cur < wanted else { return Int(clamping: limit.rlim_cur) }
        var raised = limit
        raised.rlim_cur = min(rlim_t(clamping: wanted), limit.rlim_max)
        return Int(clamping: setrlimit(resource, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur)
    }
}
