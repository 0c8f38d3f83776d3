import Glibc
import Locking
import NIOCore
import NIOPosix
import SocketListening
import Testing
import Waiting

@Suite("A listener in a process that has no descriptor left", .timeLimit(.minutes(1)))
struct ShortageTests {
    @Test("It rests instead of keeping a core busy, and accepts who waits once there are descriptors again")
    func rests() async {
        await #expect(processExitsWith: .success) {
            let accepted = Guarded(0)
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(AcceptPause())
                    }
                }
                .childChannelInitializer { channel in
                    accepted.withLock { $0 += 1 }
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let port = try #require(server.localAddress?.port.flatMap { UInt16(exactly: $0) })
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            let before = try Descriptors.leaveNone()
            Descriptors.connect(client, port)
            let start = Descriptors.processorTime()
            try await Task.sleep(for: .seconds(1))
            #expect(Descriptors.processorTime() - start < .milliseconds(300))
            #expect(accepted.withLock { $0 } == 0)
            Descriptors.set(before)
            try await eventually { accepted.withLock { $0 } == 1 }
        }
    }
}

/// What this process may open, and has used.
private enum Descriptors {
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// Lowers the limit to what is open; gives the one before.
    static func leaveNone() throws -> rlimit {
        var limit = rlimit()
        try #require(getrlimit(resource, &limit) == 0)
        let lowestFree = dup(0)
        close(lowestFree)
        set(rlimit(rlim_cur: rlim_t(lowestFree), rlim_max: limit.rlim_max))
        return limit
    }

    static func set(_ limit: rlimit) {
        var limit = limit
        setrlimit(resource, &limit)
    }

    static func connect(_ socket: Int32, _ port: UInt16) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    static func processorTime() -> Duration {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        return times.reduce(.zero) { $0 + .seconds($1.tv_sec) + .microseconds($1.tv_usec) }
    }
}
