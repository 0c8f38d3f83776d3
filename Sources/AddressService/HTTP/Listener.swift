import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// One listening socket with its routes and its bounds.
struct Listener: Service {
    let address: ListenAddress
    let limits: ServiceLimits
    let router: @Sendable () -> Router<ServiceContext>
    let logger: Logger
    /// Is told where it listens, once it does.
    let onRunning: @Sendable (ListenAddress) -> Void

    func run() async throws {
        let application = Application(
            router: router(),
            server: .http1(configuration: channelConfiguration),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: Int(address.port)),
                backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: logger)
            ),
            onServerRunning: { channel in
                let port = channel.localAddress?.port.flatMap { UInt16(exactly: $0) }
                onRunning(ListenAddress(host: address.host, port: port ?? address.port))
            },
            logger: logger
        )
        do {
            try await application.run()
        } catch let error as IOError {
            throw ListenFault(address: address, code: error.errnoCode)
        }
    }

    private var channelConfiguration: HTTP1Channel.Configuration {
        let requestTime = limits.requestTime
        return HTTP1Channel.Configuration(
            additionalChannelHandlers: [RequestDeadline(limit: .seconds(Int64(clamping: requestTime)))],
            // Without a complete header nothing counts as activity: this bounds idle and trickling connections alike.
            idleTimeout: .seconds(Int64(clamping: limits.headerTime)),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerField,
                maxHeaderListSize: limits.header,
                maxHeaderFieldCount: ServiceLimits.headerFields
            )
        )
    }
}
