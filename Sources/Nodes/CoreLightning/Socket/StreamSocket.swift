#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Differences of the platforms' socket interfaces.
enum StreamSocket {
    /// The socket type, with close-on-exec where that can be set at once.
    #if canImport(Glibc)
    static let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
    static let type = SOCK_STREAM | SOCK_CLOEXEC
    #else
    static let type = SOCK_STREAM
    #endif

    /// Sets the remaining options: close-on-exec, and no signal when the peer is gone.
    static func prepare(_ descriptor: Int32) {
        #if canImport(Darwin)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Sends without raising a signal.
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
