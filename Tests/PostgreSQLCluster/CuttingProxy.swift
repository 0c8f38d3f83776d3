import Platform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A TCP proxy in front of a server on this machine that cuts connections where a test wants it.
package final class CuttingProxy: Sendable {
    /// Its port on 127.0.0.1.
    package let port: Int
    private let state = Guarded(State())

    /// What happens to the bytes.
    package enum Mode: Sendable, Equatable {
        /// They pass.
        case passing
        /// The next that a client sends pass up to so many; then its connection is cut.
        case cuttingAfter(Int)
        /// What clients send passes. The connection is cut when the server answers, and the answer is lost.
        case losingAnswers
        /// So many answers of the server pass first.
        case losingAnswersAfter(Int)
        /// New and old connections are cut at once.
        case refusing
        /// Nothing passes, and nothing is cut.
        case silent
    }

    private struct State {
        var mode = Mode.passing
        var isEnded = false
        var cuts = 0
    }

    private struct Pair {
        let client: Int32
        let server: Int32
    }

    /// Listens in front of a port.
    package init(to target: Int) throws {
        let port = try PostgreSQLCluster.freePort()
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(port)
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let isListening = Self.withAddress(&address) { bind(listener, $0, $1) == 0 } && listen(listener, 64) == 0
        guard isListening else { throw PostgreSQLCluster.Failure(description: "no proxy") }
        self.port = port
        let state = state
        _ = DetachedThread.start { Self.serve(listener, target, state) }
    }

    deinit {
        state.withLock { $0.isEnded = true }
    }

    /// How many connections have ended, by the proxy or by themselves.
    package var cuts: Int { state.withLock { $0.cuts } }

    /// Changes what happens from now on.
    package func become(_ mode: Mode) {
        state.withLock { $0.mode = mode }
    }

    private static func serve(_ listener: Int32, _ target: Int, _ state: Guarded<State>) {
        var pairs: [Pair] = []
        defer {
            close(listener)
            for pair in pairs { cut(pair) }
        }
        while true {
            let (mode, isEnded) = state.withLock { ($0.mode, $0.isEnded) }
            guard !isEnded else { return }
            if mode == .refusing {
                for pair in pairs { cut(pair) }
                pairs = []
            }
            let descriptors = mode == .silent ? [] : [listener] + pairs.flatMap { [$0.client, $0.server] }
            var sockets = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&sockets, nfds_t(sockets.count), 5) > 0 else { continue }
            if sockets[0].revents != 0 {
                let client = accept(listener, nil, nil)
                if mode == .refusing {
                    close(client)
                } else {
                    pairs.append(Pair(client: client, server: connect(to: target)))
                }
            }
            for (index, pair) in pairs.enumerated().reversed() where 2 * index + 2 < sockets.count {
                let (fromClient, fromServer) = (
                    sockets[2 * index + 1].revents != 0, sockets[2 * index + 2].revents != 0
                )
                var isOpen = true
                if fromClient { isOpen = pass(from: pair.client, to: pair.server, state) }
                if fromServer, isOpen {
                    isOpen = losesAnswer(state) ? false : pass(from: pair.server, to: pair.client, nil)
                }
                if !isOpen {
                    cut(pair)
                    pairs.remove(at: index)
                    state.withLock { $0.cuts += 1 }
                }
            }
        }
    }

    private static func losesAnswer(_ state: Guarded<State>) -> Bool {
        state.withLock { state in
            guard case .losingAnswersAfter(let left) = state.mode else { return state.mode == .losingAnswers }
            state.mode = left > 1 ? .losingAnswersAfter(left - 1) : .losingAnswers
            return left == 0
        }
    }

    /// - Parameter state: of what a client sends.
    /// - Returns: false when the connection is to be cut.
    private static func pass(from: Int32, to: Int32, _ state: Guarded<State>?) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(from, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        let allowed: Int =
            state?.withLock { state in
                guard case .cuttingAfter(let left) = state.mode else { return count }
                state.mode = .cuttingAfter(max(0, left - count))
                return min(left, count)
            } ?? count
        var sent = 0
        while sent < allowed {
            let part = bytes[sent..<allowed].withUnsafeBytes {
                send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard part > 0 else { return false }
            sent += part
        }
        return allowed == count
    }

    private static func cut(_ pair: Pair) {
        close(pair.client)
        close(pair.server)
    }

    private static func connect(to port: Int) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(port)
        _ = withAddress(&address) { Glibc.connect(descriptor, $0, $1) }
        return descriptor
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(clamping: port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func withAddress<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
