import CoreMetrics
import LightningCoding
import LightningCrypto
import Platform
import Logging
import LoopbackServer
import NIOCore
import OnionMessages
import ResponderCore
import Testing
import Waiting

@testable import OnionPeer

/// A node that runs while a body runs.
struct RunningNode {
    let node: PeerNode
    let listening: ListenAddress?

    var address: PeerAddress? { listening.map { PeerAddress(nodeID: node.settings.key.publicKey, host: $0) } }

    static func run<Value: Sendable>(
        key: SecretKey, _ change: (inout PeerNodeSettings) -> Void = { _ in },
        metrics: any MetricsFactory = NOOPMetricsHandler.instance, answering responder: Responder? = nil,
        _ body: @Sendable (RunningNode) async throws -> Value
    ) async throws -> Value {
        var settings = PeerNodeSettings(key: key, network: .regtest)
        change(&settings)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let node = PeerNode(settings, metrics: PeerMetrics(metrics), logger: logger)
        let (listening, isListening) = AsyncStream<ListenAddress>.makeStream()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                guard let responder else { return try await node.run { isListening.yield($0) } }
                let answerer = OnionAnswerer(node: node, logger: logger, answer: responder.answer)
                try await node.run(answering: answerer) { isListening.yield($0) }
            }
            var host: ListenAddress?
            if settings.listen != nil {
                for await address in listening {
                    host = address
                    break
                }
            }
            let value = try await body(RunningNode(node: node, listening: host))
            group.cancelAll()
            return value
        }
    }

    static let anyPort = ListenAddress(host: "127.0.0.1", port: 0)

    /// Waits for a condition.
    func wait(until isTrue: @Sendable (PeerNode) -> Bool) async throws {
        try await eventually { isTrue(node) }
    }
}

@Suite("Two nodes", .timeLimit(.minutes(5)))
struct TwoNodesTests {
    private static let alice = Counterpart.key(0x61)
    private static let bob = Counterpart.key(0x62)

    /// Bob, who listens on an address.
    private func bob(
        _ change: @Sendable (inout PeerNodeSettings) -> Void = { _ in },
        _ body: @Sendable (_ bob: RunningNode, _ address: PeerAddress) async throws -> Void
    ) async throws {
        try await RunningNode.run(key: Self.bob) {
            $0.listen = RunningNode.anyPort
            change(&$0)
        } _: { bob in
            try await body(bob, try #require(bob.address))
        }
    }

    /// Alice, who connects, and Bob.
    private func pair(
        _ change: @Sendable (inout PeerNodeSettings) -> Void = { _ in },
        _ body: @Sendable (_ alice: RunningNode, _ bob: RunningNode) async throws -> Void
    ) async throws {
        try await bob { bob, address in
            try await RunningNode.run(key: Self.alice) {
                $0.peers = [address]
                change(&$0)
            } _: { alice in
                try await body(alice, bob)
            }
        }
    }

    @Test("A connecting and a listening node exchange messages, and each knows the other")
    func exchange() async throws {
        try await pair { alice, bob in
            try await alice.wait { !$0.introductions.isEmpty }
            try await bob.wait { !$0.nodes.isEmpty }
            #expect(alice.node.introductions == [Self.bob.publicKey])
            #expect(bob.node.nodes == [Self.alice.publicKey])
            // An incoming peer may be gone tomorrow: nobody is directed to us through it.
            #expect(bob.node.introductions.isEmpty)
            try #require(alice.node.readyLink(with: Self.bob.publicKey)).send([1, 2, 3])
            let arrived = try #require(await bob.node.arrivals.first { _ in true })
            #expect(arrived.body == [1, 2, 3] && arrived.link.remote == Self.alice.publicKey)
            arrived.link.send([4])
            let back = try #require(await alice.node.arrivals.first { _ in true })
            #expect(back.body == [4] && back.link.own == Self.alice)
            let status = try #require(alice.node.statuses.first)
            #expect(status.nodeID == Self.bob.publicKey && !status.isIncoming && status.isIntroduction)
            #expect(status.traffic.onionsIn == 1 && status.traffic.onionsOut == 1)
            #expect(status.features == .ofMessenger && status.lastEnd == nil)
        }
    }

    @Test("Several connections with one peer each have their own key, the first the node's own")
    func severalKeys() async throws {
        try await pair {
            $0.connectionsPerPeer = 3
        } _: { alice, bob in
            try await bob.wait { $0.nodes.count == 3 }
            #expect(Set(bob.node.nodes) == Set(alice.node.keys.map(\.publicKey)))
            #expect(alice.node.keys.first == Self.alice)
            try await alice.wait { $0.introductions == [Self.bob.publicKey] }
            try await alice.wait { $0.links(with: Self.bob.publicKey).count == 3 }
            // Together they carry three times as much as one.
            for _ in 0..<9 { alice.node.readyLink(with: Self.bob.publicKey)?.send([7]) }
            var count = 0
            for await _ in bob.node.arrivals {
                count += 1
                if count == 9 { break }
            }
        }
    }

    @Test("A lost connection is reopened")
    func reconnecting() async throws {
        try await pair { alice, bob in
            try await bob.wait { !$0.nodes.isEmpty }
            let first = try #require(bob.node.links(with: Self.alice.publicKey).first)
            first.close()
            try await bob.wait { node in node.links(with: Self.alice.publicKey).contains { $0 !== first } }
            try await alice.wait { $0.statuses.first?.isIntroduction ?? false }
            #expect(alice.node.statuses.first?.lastEnd == .closedByPeer)
        }
    }

    @Test("When a connection is refused, the reason and the time until the next attempt are reported")
    func unreachable() async throws {
        let nobody = try ClosedPort()
        let address = PeerAddress(
            nodeID: Self.bob.publicKey, host: ListenAddress(host: "127.0.0.1", port: nobody.port))
        try await RunningNode.run(key: Self.alice) {
            $0.peers = [address]
        } _: { alice in
            try await alice.wait { $0.statuses.first?.lastEnd != nil }
            let status = try #require(alice.node.statuses.first)
            #expect(status.lastEnd == .network(.refused))
            #expect(!status.isIntroduction)
        }
    }

    @Test("A listen address in use is reported")
    func taken() async throws {
        let taken = try ClosedPort()
        var settings = PeerNodeSettings(key: Self.bob, network: .regtest)
        settings.listen = ListenAddress(host: "127.0.0.1", port: taken.port)
        let node = PeerNode(
            settings, metrics: PeerMetrics(NOOPMetricsHandler.instance),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        await #expect(throws: NetworkFault.taken) { try await node.run() }
    }

    @Test("A node with an unexpected key is refused")
    func impostor() async throws {
        try await bob { _, real in
            let address = PeerAddress(nodeID: Counterpart.key(0x63).publicKey, host: real.host)
            await #expect(throws: ConnectionEnd.closedByPeer) {
                try await PeerConnector(network: .regtest).connect(to: address, as: Self.alice)
            }
        }
    }

    @Test("A client with one connection sends and receives")
    func client() async throws {
        try await bob { bob, address in
            let (link, arrivals) = try await PeerConnector(network: .regtest).connect(to: address, as: Self.alice)
            #expect(link.remote == Self.bob.publicKey && link.features == .ofMessenger)
            link.send([9])
            let arrived = try #require(await bob.node.arrivals.first { _ in true })
            #expect(arrived.body == [9])
            arrived.link.send([8])
            #expect(await arrivals.first { _ in true } == [8])
            link.close()
            #expect(await arrivals.first { _ in true } == nil)
        }
    }

    @Test("Nodes on different chains do not connect")
    func otherNetwork() async throws {
        try await bob { _, address in
            await #expect(throws: ConnectionEnd.otherNetwork) {
                try await PeerConnector(network: .signet).connect(to: address, as: Self.alice)
            }
        }
    }

    @Test("A node that connects again replaces its previous connection")
    func callingAgain() async throws {
        try await bob { bob, address in
            let dialler = PeerConnector(network: .regtest)
            let (_, former) = try await dialler.connect(to: address, as: Self.alice)
            let (link, _) = try await dialler.connect(to: address, as: Self.alice)
            #expect(await former.first { _ in true } == nil)
            try await bob.wait { $0.links(with: Self.alice.publicKey).count == 1 }
            link.close()
        }
    }

    @Test("A misbehaving node is banned for a while; others are not")
    func banning() async throws {
        try await bob { bob, address in
            try await HostileClient(at: address, as: Self.alice).sendUnknownEven()
            try await bob.wait { $0.links(with: Self.alice.publicKey).isEmpty }
            let dialler = PeerConnector(network: .regtest)
            await #expect(throws: ConnectionEnd.closedByPeer) {
                try await dialler.connect(to: address, as: Self.alice)
            }
            let (link, _) = try await dialler.connect(to: address, as: Counterpart.key(0x63))
            link.close()
        }
    }

    @Test("Incoming connections are counted by their network, except those of a proxy on this machine")
    func networks() throws {
        func network(_ text: String) throws -> ClientNetwork? {
            PeerListener.network(of: try SocketAddress(ipAddress: text, port: 9_735))
        }
        for local in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] { #expect(try network(local) == nil) }
        let one = try #require(try network("192.0.2.1"))
        #expect(try network("192.0.2.2") != one)
        #expect(try network("2001:db8::1") == network("2001:db8::2"))
        // All whose address is unknown are one.
        #expect(PeerListener.network(of: nil) == ClientNetwork(nil))
    }

    @Test("Incoming connections are limited")
    func full() async throws {
        try await bob {
            $0.maximumIncoming = 2
        } _: { bob, address in
            let dialler = PeerConnector(network: .regtest)
            let links = [
                try await dialler.connect(to: address, as: Counterpart.key(0x71)).link,
                try await dialler.connect(to: address, as: Counterpart.key(0x72)).link,
            ]
            await #expect(throws: ConnectionEnd.self) {
                try await dialler.connect(to: address, as: Counterpart.key(0x73))
            }
            for link in links { link.close() }
        }
    }
}
