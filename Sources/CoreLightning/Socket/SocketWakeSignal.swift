#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Interrupts the `poll` of another thread: a socket pair, one end of which that thread watches. Lives as long as it
/// can be signalled.
final class SocketWakeSignal: Sendable {
    /// Readable after a signal.
    let descriptor: Int32
    private let button: Int32

    /// - Throws: `CommandFault.unreachable` when the process has too many open files.
    init() throws(CommandFault) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, StreamSocket.type, 0, &ends) == 0 else {
            throw .unreachable("cannot create a socket pair: error \(errno)")
        }
        for end in ends {
            StreamSocket.prepare(end)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, button) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(button)
    }

    /// Signals. A full buffer is fine: an unread signal is enough.
    func wake() {
        let byte: UInt8 = 1
        _ = withUnsafeBytes(of: byte) { StreamSocket.send($0, over: button) }
    }

    /// Clears the signal.
    func silence() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while recv(descriptor, buffer.baseAddress, buffer.count, 0) == buffer.count {}
        }
    }
}
