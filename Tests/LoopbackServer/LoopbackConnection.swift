import Glibc
import Platform

/// One accepted connection.
package final class LoopbackConnection: Sendable {
    private let socket: Int32
    /// Its number may be another's as soon as it is closed.
    private let isOpen = Guarded(true)

    init(_ socket: Int32) {
        self.socket = socket
    }

    /// Closes it, at the end of what serves it.
    func finish() {
        isOpen.withLock { isOpen in
            close(socket)
            isOpen = false
        }
    }

    /// Writes everything; false when the peer is gone, or what serves the connection has ended: a late answer would go to
    /// whoever has its number then.
    @discardableResult
    package func write(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            guard isOpen.withLock({ $0 }) else { return false }
            let count = bytes.withUnsafeBytes { buffer in
                send(socket, buffer.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Writes text as UTF-8.
    @discardableResult
    package func write(_ text: String) -> Bool {
        write(Array(text.utf8))
    }

    /// What is there, waiting for the first byte; empty when the peer is gone.
    package func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(socket, &buffer, buffer.count, 0)
        return Array(buffer.prefix(max(0, count)))
    }

    /// Reads until the peer closes: for a server that never answers.
    package func readToEnd() {
        while !read().isEmpty {}
    }

    /// Ends the conversation from another thread: whoever reads finds its end.
    package func hangUp() {
        isOpen.withLock { isOpen in
            if isOpen { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Whether the peer has closed its side, and everything that it sent was read.
    package var isAbandoned: Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }

    /// Makes the end of the connection a reset in place of an orderly close.
    package func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Reads one request with its body; `nil` when the peer is gone.
    package func readRequest() -> LoopbackRequest? {
        var bytes: [UInt8] = []
        while true {
            if let request = LoopbackRequest(bytes) { return request }
            let more = read()
            guard !more.isEmpty else { return nil }
            bytes += more
        }
    }
}

/// A request as a test server sees it.
package struct LoopbackRequest: Sendable {
    /// The method, such as `GET`.
    package let method: String
    /// The path and query as sent.
    package let target: String
    /// Header lines as sent, without the request line.
    package let headers: [String]
    /// The body, by `Content-Length`.
    package let body: [UInt8]

    /// The target without its query.
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// The raw value of a query parameter.
    package func query(_ name: String) -> String? {
        target.drop { $0 != "?" }.dropFirst().split(separator: "&")
            .first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// The value of a header field, by its lower-case name.
    package func header(_ name: String) -> String? {
        headers.first { $0.lowercased().hasPrefix(name + ":") }
            .map { $0.drop { $0 != ":" }.dropFirst().drop { $0 == " " } }.map(String.init)
    }

    /// A whole request, or `nil` when more bytes are needed.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.indices.dropLast(3).first(where: { Array(bytes[$0..<$0 + 4]) == [13, 10, 13, 10] })
        else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n").map(String.init)
        let words = lines.first?.split(separator: " ").map(String.init) ?? []
        guard words.count == 3 else { return nil }
        method = words[0]
        target = words[1]
        headers = Array(lines.dropFirst())
        let lengths = headers.filter { $0.lowercased().hasPrefix("content-length:") }
        let length = lengths.first.flatMap { Int($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) } ?? 0
        guard bytes.count >= end + 4 + length else { return nil }
        body = Array(bytes[(end + 4)..<(end + 4 + length)])
    }
}

/// What a test server answers.
package struct LoopbackAnswer: Sendable {
    /// The whole answer, head and body.
    package let bytes: [UInt8]

    /// An answer framed by `Content-Length`.
    package init(status: Int = 200, _ body: String, type: String = "application/json", headers: [String] = []) {
        let head = ["HTTP/1.1 \(status) -", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] + headers
        bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }

    /// Any bytes at all.
    package init(raw: String) {
        bytes = Array(raw.utf8)
    }

    /// Any bytes at all, also such that are not text.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
