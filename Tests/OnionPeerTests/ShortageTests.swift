import Glibc
import Platform
import NIOCore
import NIOPosix
import OnionPeer
import Testing
import Waiting

@Suite("A listener in a process that has no descriptor left", .timeLimit(.minutes(5)))
struct ShortageTests {
    @Test("It rests for a while after each failure, and accepts who waits once there are descriptors again")
    func rests() async {
        await #expect(processExitsWith: .success) {
            let accepted = Guarded(0)
            let failed = Guarded(0)
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers([FailureCount(failed), AcceptPause()])
                    }
                }
                .childChannelInitializer { channel in
                    accepted.withLock { $0 += 1 }
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let address = try #require(server.localAddress)
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            let before = try Descriptors.leaveNone()
            address.withSockAddr { _ = connect(client, $0, socklen_t($1)) }
            // Swift's own clock would need descriptors.
            usleep(1_000_000)
            // Ten times a second; without a pause it is as often as the processor allows.
            #expect((1...20).contains(failed.withLock { $0 }))
            #expect(accepted.withLock { $0 } == 0)
            Descriptors.set(before)
            try await eventually { accepted.withLock { $0 } == 1 }
        }
    }
}

/// How often accepting has failed.
private final class FailureCount: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let count: Guarded<Int>

    init(_ count: Guarded<Int>) { self.count = count }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        count.withLock { $0 += 1 }
        context.fireErrorCaught(error)
    }
}

/// What this process may open.
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
}
