import Dispatch
import Glibc
import Platform

/// A SOCKS 5 proxy (RFC 1928) on a free port of 127.0.0.1 for tests: it does what it was told to, and notes where it was asked
/// to connect.
package final class FakeProxy: Sendable {
    /// What a proxy does with whoever calls.
    package enum Behavior: Sendable {
        /// It connects with this port of 127.0.0.1, whatever it was asked for.
        case connects(to: UInt16)
        /// It says no, by this code.
        case refuses(code: UInt8)
        /// It takes nobody who has no password.
        case wantsPassword
        /// It takes the call, and never says anything.
        case hangs
        /// It takes the caller, and never says whether it has connected.
        case hangsAfterGreeting
        /// It hangs up when it was asked to connect.
        case hangsUp
        /// It says this to whatever comes first.
        case says([UInt8])
        /// It takes the caller, and says this when it was asked to connect.
        case saysAfterGreeting([UInt8])
    }

    /// Where a proxy was asked to connect.
    package struct Target: Hashable, Sendable {
        /// A name, or an address in numbers.
        package let host: String
        /// Whether it came as a name.
        package let isName: Bool
        /// The TCP port.
        package let port: UInt16

        /// A target by its name.
        package static func name(_ host: String, _ port: UInt16) -> Target {
            Target(host: host, isName: true, port: port)
        }

        /// A target by its address of version 4.
        package static func address(_ host: String, _ port: UInt16) -> Target {
            Target(host: host, isName: false, port: port)
        }
    }

    private let server: LoopbackServer
    private let asked: AskedTargets

    /// The port that the system gave.
    package var port: UInt16 { server.port }

    /// How many have called so far.
    package var connections: Int { server.connections }

    /// Where it was asked to connect so far, in order.
    package var targets: [Target] { asked.all }

    /// Starts a proxy.
    ///
    /// - Parameter port: where it listens; 0 for any free port.
    package init(_ behavior: Behavior, port: UInt16 = 0) throws {
        let asked = AskedTargets()
        self.asked = asked
        server = try LoopbackServer(
            port: port,
            raw: { connection in
                var conversation = Conversation(connection)
                guard conversation.greeting(behavior), let target = conversation.target() else { return }
                asked.add(target)
                conversation.answer(behavior)
            })
    }
}

private final class AskedTargets: Sendable {
    private let targets = Guarded<[FakeProxy.Target]>([])

    var all: [FakeProxy.Target] { targets.withLock { $0 } }

    func add(_ target: FakeProxy.Target) {
        targets.withLock { $0.append(target) }
    }
}

/// One caller of the proxy, and what it has said that was not read yet.
private struct Conversation {
    private let connection: LoopbackConnection
    private var unread: [UInt8] = []

    init(_ connection: LoopbackConnection) {
        self.connection = connection
    }

    /// Whether the caller may go on.
    mutating func greeting(_ behavior: FakeProxy.Behavior) -> Bool {
        guard let head = take(2), head[0] == 5, let methods = take(Int(head[1])) else { return false }
        switch behavior {
        case .says(let bytes):
            connection.write(bytes)
            connection.readToEnd()
            return false
        case .hangs:
            connection.readToEnd()
            return false
        case .wantsPassword:
            connection.write([5, methods.contains(2) ? 2 : 0xFF])
            connection.readToEnd()
            return false
        default:
            return methods.contains(0) && connection.write([5, 0])
        }
    }

    mutating func target() -> FakeProxy.Target? {
        guard let head = take(4), head[..<3] == [5, 1, 0] else { return nil }
        switch head[3] {
        case 1:
            guard let address = take(4), let port = takePort() else { return nil }
            return .address(address.map(String.init).joined(separator: "."), port)
        case 3:
            guard let count = take(1)?.first, let name = take(Int(count)), let port = takePort() else { return nil }
            return .name(String(decoding: name, as: UTF8.self), port)
        default:
            return nil
        }
    }

    mutating func answer(_ behavior: FakeProxy.Behavior) {
        switch behavior {
        case .connects(let port): connect(to: port)
        case .refuses(let code): connection.write(Self.reply(code))
        case .saysAfterGreeting(let bytes):
            connection.write(bytes)
            connection.readToEnd()
        case .hangsAfterGreeting: connection.readToEnd()
        case .hangsUp, .wantsPassword, .hangs, .says: return
        }
    }

    private func connect(to port: UInt16) {
        guard let socket = try? connectedSocket(port) else {
            connection.write(Self.reply(5))
            return
        }
        let target = LoopbackConnection(socket)
        let isDone = DispatchSemaphore(value: 0)
        connection.write(Self.reply(0))
        target.write(unread)
        _ = DetachedThread.start { [connection] in
            target.pass(to: connection)
            isDone.signal()
        }
        connection.pass(to: target)
        isDone.wait()
        target.finish()
    }

    private static func reply(_ code: UInt8) -> [UInt8] {
        [5, code, 0, 1, 0, 0, 0, 0, 0, 0]
    }

    private mutating func takePort() -> UInt16? {
        take(2).map { UInt16($0[0]) << 8 | UInt16($0[1]) }
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        while unread.count < count {
            let more = connection.read()
            guard !more.isEmpty else { return nil }
            unread += more
        }
        defer { unread.removeFirst(count) }
        return Array(unread.prefix(count))
    }
}

extension LoopbackConnection {
    /// Hands on what comes until it ends; then the other one ends too.
    fileprivate func pass(to other: LoopbackConnection) {
        while true {
            let bytes = read()
            guard !bytes.isEmpty, other.write(bytes) else { return other.hangUp() }
        }
    }
}

private func connectedSocket(_ port: UInt16) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
    guard isConnected else {
        let code = errno
        close(descriptor)
        throw LoopbackFault(code: code)
    }
    return descriptor
}
