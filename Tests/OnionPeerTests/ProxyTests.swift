import Glibc
import LightningCoding
import LightningCrypto
import LoopbackServer
import NIOCore
import OnionMessages
import Testing

@testable import OnionPeer

@Suite("Through a SOCKS 5 proxy", .timeLimit(.minutes(5)))
struct ProxyTests {
    private static let alice = Counterpart.key(0x61)
    private static let bob = Counterpart.key(0x62)

    private static func dialler(_ port: UInt16, timeout: Duration = .seconds(15)) -> PeerConnector {
        var limits = PeerLimits()
        limits.opening = timeout
        return PeerConnector(network: .regtest, limits: limits, proxy: ListenAddress(host: "127.0.0.1", port: port))
    }

    private static func somewhere(_ host: String = "peer.example") -> PeerAddress {
        PeerAddress(nodeID: bob.publicKey, host: ListenAddress(host: host, port: 9735))
    }

    @Test(
        "The proxy resolves names, and gets addresses unchanged",
        arguments: [
            ("peer.example", FakeProxy.Target.name("peer.example", 9735)),
            ("2gzyxa5ihm7nsggfxnu52rck2vv4rvmdlkiu3zzui5du4xyclen53wid.onion", nil),
            ("192.0.2.7", .address("192.0.2.7", 9735)),
        ])
    func connects(host: String, target: FakeProxy.Target?) async throws {
        try await RunningNode.run(key: Self.bob) {
            $0.listen = RunningNode.anyPort
        } _: { bob in
            let proxy = try FakeProxy(.connects(to: #require(bob.listening).port))
            let (link, arrivals) = try await Self.dialler(proxy.port).connect(to: Self.somewhere(host), as: Self.alice)
            #expect(proxy.targets == [target ?? .name(host, 9735)])
            #expect(link.remote == Self.bob.publicKey && link.host == "\(host):9735")
            link.send([9])
            let arrived = try #require(await bob.node.arrivals.first { _ in true })
            #expect(arrived.body == [9])
            arrived.link.send([8])
            #expect(await arrivals.first { _ in true } == [8])
            link.close()
        }
    }

    static let faults: [(FakeProxy.Behavior, ProxyFault)] =
        [1, 2, 3, 4, 5, 6, 7, 8, 0xF0].map { (.refuses(code: $0), .refused($0)) } + [
            (.wantsPassword, .wantsAuthentication), (.hangsUp, .hungUp),
            (.says([4, 90, 0, 0, 0, 0, 0, 0]), .noSOCKS), (.says(Array("HTTP/1.1 400 Bad\r\n\r\n".utf8)), .noSOCKS),
            (.says([5, 1]), .wantsAuthentication), (.saysAfterGreeting([5, 0, 9, 1, 0, 0, 0, 0, 0, 0]), .noSOCKS),
            (.saysAfterGreeting([5, 0, 0, 7, 0, 0, 0, 0, 0, 0]), .noSOCKS),
            (.saysAfterGreeting([4, 0, 0, 1, 0, 0, 0, 0, 0, 0]), .noSOCKS),
        ]

    @Test("Every failure of a proxy is reported by name", arguments: faults)
    func fails(behavior: FakeProxy.Behavior, fault: ProxyFault) async throws {
        let proxy = try FakeProxy(behavior)
        await #expect(throws: ConnectionEnd.proxy(fault)) {
            try await Self.dialler(proxy.port).connect(to: Self.somewhere(), as: Self.alice)
        }
        #expect(proxy.connections == 1)
    }

    @Test(
        "A proxy that sends nothing, or only half a reply, times out, by the real clock",
        arguments: [
            .hangs, .hangsAfterGreeting, .says([5]), .saysAfterGreeting([5, 0, 0, 3, 255, 65]),
        ] as [FakeProxy.Behavior])
    func hangs(behavior: FakeProxy.Behavior) async throws {
        let proxy = try FakeProxy(behavior)
        await #expect(throws: ConnectionEnd.proxy(.silent)) {
            try await Self.dialler(proxy.port, timeout: .seconds(1)).connect(
                to: Self.somewhere(), as: Self.alice)
        }
    }

    @Test("A silent peer behind the proxy is distinguished from a silent proxy, by the real clock")
    func silentPeer() async throws {
        let silent = try LoopbackServer(raw: { $0.readToEnd() })
        let proxy = try FakeProxy(.connects(to: silent.port))
        await #expect(throws: ConnectionEnd.openingTooSlow) {
            try await Self.dialler(proxy.port, timeout: .seconds(1)).connect(
                to: Self.somewhere(), as: Self.alice)
        }
    }

    @Test("Without a listening proxy, no connection bypasses it")
    func noProxy() async throws {
        let nobody = try ClosedPort()
        try await RunningNode.run(key: Self.bob) {
            $0.listen = RunningNode.anyPort
        } _: { bob in
            let address = try #require(bob.address)
            await #expect(throws: ConnectionEnd.proxy(.notReached(.refused))) {
                try await Self.dialler(nobody.port).connect(to: address, as: Self.alice)
            }
            #expect(bob.node.nodes.isEmpty)
        }
    }

    @Test("An unreachable node behind the proxy is retried with backoff, and both are shown")
    func backOff() async throws {
        let proxy = try FakeProxy(.refuses(code: 4))
        try await RunningNode.run(key: Self.alice) {
            $0.peers = [Self.somewhere()]
            $0.proxy = ListenAddress(host: "127.0.0.1", port: proxy.port)
        } _: { alice in
            try await alice.wait { $0.statuses.first?.lastEnd != nil }
            let status = try #require(alice.node.statuses.first)
            #expect(status.lastEnd == .proxy(.refused(4)))
            #expect(status.lastEnd?.reason == "the proxy says: the peer cannot be reached")
            try await alice.wait { _ in proxy.connections == 2 }
            try await alice.wait { node in
                guard case .waiting(let time)? = node.statuses.first?.state else { return false }
                return time > .zero && time <= .seconds(2)
            }
            #expect(!alice.node.statuses.contains { $0.isIntroduction })
        }
    }
}

@Suite("The reasons for the end of a connection", .timeLimit(.minutes(5)))
struct ConnectionEndTests {
    @Test(
        "System error numbers have our own descriptions",
        arguments: [
            (ECONNREFUSED, .refused), (ETIMEDOUT, .timedOut), (EHOSTUNREACH, .unreachable), (ENETUNREACH, .unreachable),
            (ECONNRESET, .reset), (EPIPE, .reset), (EACCES, .forbidden), (EPERM, .forbidden), (EMFILE, .exhausted),
            (EADDRINUSE, .taken), (EADDRNOTAVAIL, .foreignAddress), (EDOM, .system(errno: EDOM)),
        ] as [(Int32, NetworkFault)])
    func systemErrors(number: Int32, fault: NetworkFault) {
        #expect(NetworkFault(IOError(errnoCode: number, reason: "connection reset (error set): read(...)")) == fault)
        #expect(!fault.reason.contains("error set"))
    }

    @Test("SwiftNIO's errors have our own descriptions, and none of its texts are shown")
    func otherErrors() {
        struct Strange: Error {}
        let cases: [(any Error, NetworkFault)] = [
            (ChannelError.connectTimeout(.seconds(1)), .timedOut), (ChannelError.eof, .reset),
            (SocketAddressError.unsupported, .other), (Strange(), .other),
        ]
        for (error, fault) in cases { #expect(NetworkFault(error) == fault) }
        #expect(ConnectionEnd.network(.refused).reason == "the connection was refused")
        #expect(
            ConnectionEnd.proxy(.notReached(.refused)).reason
                == "the proxy could not be reached: the connection was refused")
    }

    @Test("A failing network or proxy does not count as misbehavior")
    func innocent() {
        for end in [ConnectionEnd.network(.reset), .proxy(.noSOCKS), .noRandomness] { #expect(!end.isMisbehavior) }
    }
}
