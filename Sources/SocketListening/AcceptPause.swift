public import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Stops accepting for a moment when the system has no descriptor, or no memory, for one more connection. It belongs at the
/// beginning of a listening socket's pipeline.
///
/// `AcceptBackoffHandler` of SwiftNIO puts off the next read; but after an accept that fails the read before it is still pending,
/// the socket stays registered, and the event loop comes back to it without a pause.
public final class AcceptPause: ChannelInboundHandler {
    /// An accepted connection.
    public typealias InboundIn = any Channel

    /// How long nothing is accepted then.
    public static let duration = TimeAmount.milliseconds(100)

    private var isPausing = false

    /// A handler for one listening socket.
    public init() {}

    /// Pauses where waiting may help; passes every other error on.
    public func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let fault = error as? IOError, Self.shortages.contains(fault.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        guard !isPausing else { return }
        isPausing = true
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenFailure { _ in }
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.duration) {
            self.isPausing = false
            channel.setOption(.autoRead, value: true).whenFailure { _ in }
        }
    }

    /// For which SwiftNIO does not close the listening socket.
    private static let shortages: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]
}

@available(*, unavailable)
extension AcceptPause: Sendable {}
