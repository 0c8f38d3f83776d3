import LightningCoding
import Platform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A raw connection on which a test sends anything, however invalid.
final class RawConnection: Sendable {
    private let socket: Int32
    private let isClosed = Guarded(false)

    /// Connects to a loopback address.
    init(to address: ListenAddress) throws {
        socket = systemSocket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = address.port.bigEndian
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw errno == ECONNREFUSED ? Refused() : Failed() as any Error }
    }

    /// The connection was refused.
    struct Refused: Error {}

    /// There was no connection for another reason.
    struct Failed: Error {}

    /// Neither data nor the end arrived within a minute.
    struct Silence: Error {}

    deinit { close() }

    /// Closes the connection, once.
    func close() {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if isFirst { systemClose(socket) }
    }

    /// Ends the connection with a RST, so that the other side forgets its peer's address.
    func reset() {
        var off = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &off, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Sends nothing more, but still reads.
    func finishSending() {
        shutdown(socket, Int32(SHUT_WR))
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = systemSend(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads until the other side closes.
    func readToEnd() async throws -> String {
        try await read { _ in false }
    }

    /// Reads one response, with a body of the announced length.
    func response() async throws -> String {
        try await read { text in
            guard let head = text.firstRange(of: "\r\n\r\n") else { return false }
            let length = text.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length: ") }
            return text[head.upperBound...].utf8.count >= Int(length?.dropFirst(16) ?? "0") ?? 0
        }
    }

    /// Reads until a text has arrived.
    func read(until end: String) async throws -> String {
        try await read { $0.contains(end) }
    }

    /// Whether data can be read within some milliseconds.
    func isReadable(within milliseconds: Int32) async -> Bool {
        await offPool { [socket] in
            var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            return poll(&descriptor, 1, milliseconds) > 0
        }
    }

    /// Sends a text five times a second, like a slow client, until the other side stops reading.
    ///
    /// - Returns: whether that happened within a minute.
    func trickle(_ text: String) async -> Bool {
        await offPool { [socket] in
            let bytes = Array(text.utf8)
            for _ in 0..<300 {
                guard systemSend(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) >= 0 else { return true }
                usleep(200_000)
            }
            return false
        }
    }

    private func read(until isEnough: @escaping @Sendable (String) -> Bool) async throws -> String {
        let result: Result<String, Silence> = await offPool { [socket] in
            var timeout = timeval(tv_sec: 60, tv_usec: 0)
            setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while !isEnough(String(decoding: bytes, as: UTF8.self)) {
                let count = recv(socket, &chunk, chunk.count, 0)
                if count < 0, errno == EAGAIN { return .failure(Silence()) }
                guard count > 0 else { break }
                bytes += chunk[..<count]
            }
            return .success(String(decoding: bytes, as: UTF8.self))
        }
        return try result.get()
    }
}

/// Runs a blocking call on its own thread.
private func offPool<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        let run = { @Sendable in continuation.resume(returning: body()) }
        if !DetachedThread.start(run) { run() }
    }
}

private func systemSocket(_ family: Int32, _ type: Int32, _ number: Int32) -> Int32 { socket(family, type, number) }

private func systemClose(_ socket: Int32) { close(socket) }

private func systemSend(_ socket: Int32, _ bytes: [UInt8], _ count: Int, _ flags: Int32) -> Int {
    send(socket, bytes, count, flags)
}
