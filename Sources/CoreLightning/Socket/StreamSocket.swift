#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the systems call differently about the sockets of this room.
enum StreamSocket {
    /// A socket's type, and that no child process gets it, where that can be said at once.
    #if canImport(Glibc)
    static let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
    static let type = SOCK_STREAM | SOCK_CLOEXEC
    #else
    static let type = SOCK_STREAM
    #endif

    /// Says the rest: no child process gets it, and it raises no signal when its other end is gone.
    static func prepare(_ descriptor: Int32) {
        #if canImport(Darwin)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Sends without a signal.
    static func send(_ bytes: UnsafeRawBufferPointer, over descriptor: Int32) -> Int {
        #if canImport(Darwin)
        systemSend(descriptor, bytes, 0)
        #else
        systemSend(descriptor, bytes, Int32(MSG_NOSIGNAL))
        #endif
    }
}

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
    send(descriptor, bytes.baseAddress, bytes.count, flags)
}
