package import NIOCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Pauses accepting when the system has no descriptor or memory for another connection. Add it first to a listening
/// socket's pipeline.
///
/// SwiftNIO's `AcceptBackoffHandler` delays the next read; but after a failed accept the previous read is still
/// pending, the socket stays registered, and the event loop spins.
package final class AcceptPause: ChannelInboundHandler {
    package typealias InboundIn = any Channel

    package static let duration = TimeAmount.milliseconds(100)

    private var isPausing = false

    package init() {}

    /// Pauses when waiting may help; passes on every other error.
    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
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

    /// Errors for which SwiftNIO does not close the listening socket.
    private static let shortages: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]
}

@available(*, unavailable)
extension AcceptPause: Sendable {}
