import LightningCoding
import LightningCrypto

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Waits on a local port for one reply, like an LNURL service at its reply URL.
///
/// One connection at a time, with polling, which is sufficient for an interactive tool.
final class ReplyListener: Sendable {
    let url: HTTPURL
    private let socket: Int32

    private static let pause = Duration.milliseconds(2)

    /// Listens on 127.0.0.1, on a free port for 0.
    init(port: UInt16) throws(ToolFault) {
        guard let (socket, port) = Self.listeningSocket(port) else { throw .cannotListen(port: port) }
        self.socket = socket
        do {
            let number = try SystemRandom.bytes(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            url = try HTTPURL("http://127.0.0.1:\(port)/response/\(number)")
        } catch {
            close(socket)
            throw .noRandomness
        }
    }

    deinit {
        close(socket)
    }

    /// The reply; nil when the task is cancelled first. Posts to other paths get 404.
    func reply() async -> ReceivedReply? {
        while !Task.isCancelled {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else {
                try? await Task.sleep(for: Self.pause)
                continue
            }
            defer { close(connection) }
            _ = fcntl(connection, F_SETFL, fcntl(connection, F_GETFL) | O_NONBLOCK)
            if let reply = await reply(on: connection) { return reply }
        }
        return nil
    }

    private func reply(on connection: Int32) async -> ReceivedReply? {
        var request = PartialRequest()
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while !Task.isCancelled {
            switch request.state {
            case .complete("POST", url.path, let reply):
                answer("200 OK", on: connection)
                return reply
            case .complete:
                answer("404 Not Found", on: connection)
                return nil
            case .malformed:
                answer("400 Bad Request", on: connection)
                return nil
            case .tooLarge:
                answer("413 Content Too Large", on: connection)
                return nil
            case .incomplete: break
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            if count > 0 {
                request.append(buffer.prefix(count))
            } else if count < 0, errno == EAGAIN || errno == EINTR {
                try? await Task.sleep(for: Self.pause)
            } else {
                return nil
            }
        }
        return nil
    }

    private func answer(_ status: String, on connection: Int32) {
        let text = "HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        _ = Array(text.utf8).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Self.noSignal) }
        // Drains the remaining input, or the system would send a reset that could overtake the response.
        shutdown(connection, Self.writing)
        var rest = [UInt8](repeating: 0, count: 4096)
        while recv(connection, &rest, rest.count, 0) > 0 {}
    }

    private static func listeningSocket(_ port: UInt16) -> (Int32, UInt16)? {
        let descriptor = Self.stream()
        guard descriptor >= 0 else { return nil }
        var isReused: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isListening, listen(descriptor, 16) == 0,
            fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else {
            close(descriptor)
            return nil
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    #if canImport(Glibc)
    private static let noSignal = Int32(MSG_NOSIGNAL)
    private static let writing = Int32(SHUT_WR)
    private static func stream() -> Int32 { Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
    #else
    private static let noSignal: Int32 = 0
    private static let writing = SHUT_WR
    private static func stream() -> Int32 { Darwin.socket(AF_INET, SOCK_STREAM, 0) }
    #endif
}
