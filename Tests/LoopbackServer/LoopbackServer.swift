import Glibc
import Platform

/// A server on a free port of 127.0.0.1 for tests: blocking sockets, a thread per connection, answers by a closure.
package final class LoopbackServer: Sendable {
    /// The port that the system gave; 0 at a path.
    package let port: UInt16
    private let listener: Int32
    private let accepted = Guarded(0)

    /// Speaks HTTP/1.1 with kept connections: one answer for each request.
    package convenience init(_ answer: @escaping @Sendable (LoopbackRequest) -> LoopbackAnswer) throws {
        try self.init(raw: { connection in
            while let request = connection.readRequest(), connection.write(answer(request).bytes) {}
        })
    }

    /// Hands each connection over as it is; it is closed when the closure returns.
    ///
    /// - Parameter port: where it listens; 0 for any free port.
    package convenience init(
        port: UInt16 = 0, raw serve: @escaping @Sendable (LoopbackConnection) -> Void
    ) throws {
        let (listener, port) = try boundSocket(port)
        try self.init(listener, port, serve)
    }

    /// The same at a socket in the file system, whose path nobody uses yet.
    package convenience init(path: String, raw serve: @escaping @Sendable (LoopbackConnection) -> Void) throws {
        try self.init(try boundSocket(at: path), 0, serve)
    }

    private init(
        _ listener: Int32, _ port: UInt16, _ serve: @escaping @Sendable (LoopbackConnection) -> Void
    ) throws {
        self.listener = listener
        self.port = port
        guard listen(listener, 256) == 0 else { throw LoopbackFault(code: errno) }
        _ = DetachedThread.start { [accepted] in
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    close(listener)
                    return
                }
                // Or a child process that another test starts would hold the connection open.
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                accepted.withLock { $0 += 1 }
                _ = DetachedThread.start {
                    let connection = LoopbackConnection(socket)
                    serve(connection)
                    connection.finish()
                }
            }
        }
    }

    deinit {
        // Wakes the thread that waits in accept(), which closes it: nobody else may get its number before.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// How many connections were made so far.
    package var connections: Int { accepted.withLock { $0 } }
}

/// A port of 127.0.0.1 that nobody listens at, and nobody else can take, as long as this lives.
package final class ClosedPort: Sendable {
    /// The port that the system gave.
    package let port: UInt16
    private let holder: Int32

    /// Takes a port.
    package init() throws {
        (holder, port) = try boundSocket()
    }

    deinit {
        close(holder)
    }
}

private func boundSocket(_ port: UInt16 = 0) throws -> (Int32, UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    if port != 0 {
        // Connections of a former listener may still be fading away.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
        }
    }
    guard isBound else {
        let code = errno
        close(descriptor)
        throw LoopbackFault(code: code)
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
}

private func boundSocket(at path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
        throw LoopbackFault(code: ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
    }
    guard isBound else { throw LoopbackFault(code: errno) }
    return descriptor
}

/// The system refused a socket.
package struct LoopbackFault: Error {
    /// The system's `errno`.
    package let code: Int32
}
