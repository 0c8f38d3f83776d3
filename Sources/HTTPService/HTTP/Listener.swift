import LightningCoding
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import SocketListening

/// One listening socket with its routes and limits.
struct Listener: Service {
    let address: ListenAddress
    let limits: ServiceLimits
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
                ServiceChannel(responder: $0, limits: limits, unreadable: unreadable, isStopping: isStopping)
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
