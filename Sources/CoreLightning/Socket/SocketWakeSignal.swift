#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ends the `poll` of another thread: two sockets, one of which it watches. They live as long as anybody can ring.
final class SocketWakeSignal: Sendable {
    /// Readable when it has rung.
    let descriptor: Int32
    private let button: Int32

    /// - Throws: `CommandFault.unreachable` when the process has as many files open as it may.
    init() throws(CommandFault) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, StreamSocket.type, 0, &ends) == 0 else {
            throw .unreachable("no pair of sockets: error \(errno)")
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

    /// Rings. What has not been heard yet is enough: that no more goes in is no fault.
    func ring() {
        let byte: UInt8 = 1
        _ = withUnsafeBytes(of: byte) { StreamSocket.send($0, over: button) }
    }

    /// Has heard it.
    func silence() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while recv(descriptor, buffer.baseAddress, buffer.count, 0) == buffer.count {}
        }
    }
}
