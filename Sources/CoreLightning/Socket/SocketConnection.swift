import LightningCoding
import Locking
import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One connection to the node's socket.
final class SocketConnection: Sendable {
    private let channel: any Channel
    private let handler: NIOLoopBound<CommandHandler>
    private let lastNumber = Guarded<UInt64>(0)

    private init(_ channel: any Channel, _ handler: CommandHandler) {
        self.channel = channel
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    }

    /// Connects to the socket at a path.
    static func open(
        _ path: String, _ limits: CommandLimits, on group: any EventLoopGroup
    ) async throws(CommandFault) -> SocketConnection {
        let bootstrap = ClientBootstrap(group: group).connectTimeout(TimeAmount(limits.connectTimeout))
        do {
            return try await bootstrap.connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = CommandHandler(channel, limits)
                    try channel.pipeline.syncOperations.addHandler(handler)
                    return SocketConnection(channel, handler)
                }
            }
        } catch {
            throw CommandFault(connecting: error)
        }
    }

    /// Whether a command may still be sent.
    var isOpen: Bool { channel.isActive }

    /// Sends a command and waits for its answer.
    func call(_ command: Command) async throws(CommandFault) -> JSONValue {
        let number = lastNumber.withLock { last in
            last += 1
            return last
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                channel.eventLoop.execute { self.handler.value.submit(command, number, continuation) }
                // A cancellation before the submission found nothing to end.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
        return try answer.get()
    }

    /// Ends the connection; everybody who waits is told.
    func close() {
        channel.eventLoop.execute { self.handler.value.end(.closed) }
    }

    private func cancel(_ number: UInt64) {
        channel.eventLoop.execute { self.handler.value.cancel(number) }
    }
}

extension CommandFault {
    /// Why a socket could not be connected to.
    init(connecting error: any Error) {
        guard let code = (error as? IOError)?.errnoCode else {
            self = .unreachable(
                error is SocketAddressError ? "the socket's path is too long" : "the socket does not connect")
            return
        }
        switch code {
        case ENOENT: self = .unreachable("there is no such socket")
        case ECONNREFUSED: self = .unreachable("nobody listens at the socket")
        case EACCES, EPERM: self = .notPermitted("the socket's permissions do not let us in")
        default: self = .unreachable("the socket does not connect: error \(code)")
        }
    }
}
