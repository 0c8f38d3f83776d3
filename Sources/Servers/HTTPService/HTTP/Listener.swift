import Hummingbird
import HummingbirdCore
package import LightningCoding
import Logging
import NIOCore
import NIOExtras
import NIOPosix
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
    let answers: @Sendable () -> any HTTPResponder<ServiceContext>
    let logger: Logger
    /// Whether every response ends its connection.
    let isStopping: @Sendable () -> Bool
    /// Called with the bound address once it listens.
    let onRunning: @Sendable (ListenAddress) -> Void

    func run() async throws {
        let answers = answers()
        let settings = HTTPConnection.Settings(
            answer: { [logger] request, context in
                do {
                    return try await answers.respond(to: request, context: context)
                } catch {
                    logger.error("a route failed", metadata: ["cause": .string(error.readableReason)])
                    return Response(status: .internalServerError)
                }
            },
            unreadable: unreadable, limits: limits, logger: logger, isStopping: isStopping)
        let group = MultiThreadedEventLoopGroup.singleton
        let quiescing = ServerQuiescingHelper(group: group)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { [limits] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(AcceptPause())
                    try pipeline.addHandler(AvailableConnectionsChannelHandler(maxConnections: limits.connections))
                    try pipeline.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // What one client sends is read in turn with what others send.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            // The block that each body has.
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2_048, maximum: BodyBlocks.size)
            )
            .childChannelInitializer { [sockets] channel in
                channel.eventLoop.makeCompletedFuture { try HTTPConnection.begin(on: channel, settings, sockets) }
            }
        let channel: any Channel
        do {
            channel = try await bootstrap.bind(host: address.host, port: Int(address.port)).get()
        } catch let error as IOError {
            throw ListenFault(address: address, code: error.errnoCode)
        }
        let port = channel.localAddress?.port.flatMap { UInt16(exactly: $0) }
        onRunning(ListenAddress(host: address.host, port: port ?? address.port))
        let ended = channel.eventLoop.makePromise(of: Void.self)
        // The system, too, may close the socket.
        channel.closeFuture.whenComplete { _ in quiescing.initiateShutdown(promise: ended) }
        await withTaskCancellationOrGracefulShutdownHandler {
            try? await ended.futureResult.get()
        } onCancelOrGracefulShutdown: {
            quiescing.initiateShutdown(promise: ended)
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
