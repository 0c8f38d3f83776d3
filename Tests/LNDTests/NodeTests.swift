import BackendContract
import BlindedPaths
import FakeNode
import LND
import LightningCoding
import LightningCrypto
import LoopbackServer
import Platform
import ResponderModel
import Testing

@Suite("LND's node information", .timeLimit(.minutes(5)))
struct NodeTests {
    private func limits(_ change: (inout FakeChannel) -> Void) async throws -> BackendFault? {
        let fixture = try LNDFixture()
        fixture.node.state.withLock { change(&$0.channels[0]) }
        let backend = try fixture.backend()
        return await fault { () async throws(BackendFault) in _ = try await backend.limits() }
    }

    @Test("The receivable amount is the peers' balance less their reserve and the possible increase of their fees")
    func receivable() async throws {
        let fixture = try LNDFixture()
        var theirs = FakeChannel()
        theirs.isInitiator = false
        theirs.remoteBalance = 100_000
        theirs.remoteReserve = 1000
        var costly = theirs
        costly.feePerKiloweight = 2500
        costly.commitWeight = 1124 + 3 * 172
        var small = FakeChannel()
        small.remoteBalance = 10
        var away = FakeChannel()
        away.isActive = false
        var narrow = FakeChannel()
        narrow.maximumPending = 7
        narrow.minimumHTLC = 1000
        fixture.node.state.withLock { $0.channels = [FakeChannel(), theirs, costly, small, away, narrow] }
        let limits = try await fixture.backend().limits()
        // Twice the fee rate with two more HTLCs (BOLT 2), less the fee that is already deducted from the balance.
        let buffer: UInt64 = 500 * (1124 + 4 * 172)
        let costlyBuffer: UInt64 = 2500 * (1124 + 3 * 172 + 4 * 172)
        let theirSide = 2 * 99_000_000 - buffer - costlyBuffer
        #expect(limits.maximum == Millisatoshi(4_950_000_000 + theirSide + 7))
    }

    @Test("If nothing can be received there are no limits")
    func nothing() async throws {
        #expect(try await limits { $0.remoteBalance = 50_000 } == .nothingReceivable)
        #expect(try await limits { $0.isActive = false } == .nothingReceivable)
        #expect(
            try await limits {
                $0.remoteBalance = 50_001
                $0.minimumHTLC = 1001
            } == .nothingReceivable)
        #expect(try await limits { $0.remoteBalance = 50_001 } == nil)
    }

    @Test(
        "The minimum is the smallest amount that a channel accepts and its peer forwards",
        arguments: [(1, 1000, 1000), (2000, 1000, 2000), (1, 1, 1), (0, 0, 1)])
    func minimum(taken: Int, forwarded: Int, least: UInt64) async throws {
        let fixture = try LNDFixture()
        fixture.node.state.withLock { state in
            state.channels[0].minimumHTLC = taken
            state.channels[0].forwardMinimum = forwarded
        }
        #expect(try await fixture.backend().limits().minimum == Millisatoshi(least))
    }

    @Test("Channels are queried once in a few seconds, however many calls there are")
    func memory() async throws {
        let fixture = try LNDFixture()
        let backend = try fixture.backend()
        async let one = backend.limits()
        async let other = backend.limits()
        #expect(try await one == other)
        _ = try await backend.createInvoice(.sample())
        #expect(fixture.node.server.requests.filter { $0.path == "/v1/channels" }.count == 1)
    }

    @Test("Id, network, height, name and version are the node's own")
    func info() async throws {
        let fixture = try LNDFixture()
        let info = try await fixture.backend().nodeInfo()
        #expect(
            info
                == NodeInfo(
                    nodeID: fixture.node.key.publicKey, network: .regtest, blockHeight: 812_345, isSynchronized: true,
                    isPublic: true, alias: "fake", version: "LND 0.19.3-beta commit="))
    }

    @Test(
        "LND's network names map to ours; others are rejected",
        arguments: [
            ("mainnet", Network.bitcoin), ("testnet", .testnet), ("signet", .signet), ("regtest", .regtest),
            ("testnet4", nil), ("simnet", nil), ("bitcoin", nil),
        ] as [(String, Network?)])
    func network(name: String, network: Network?) async throws {
        let fixture = try LNDFixture()
        fixture.node.state.withLock { $0.network = name }
        let backend = try fixture.backend()
        guard let network else {
            #expect(
                await fault { () async throws(BackendFault) in _ = try await backend.nodeInfo() }
                    == .malformedAnswer("an unknown network: \(name)"))
            return
        }
        #expect(try await backend.nodeInfo().network == network)
    }

    @Test(
        "Offers are answered only if configured; then peers are listed with their terms"
    )
    func peers() async throws {
        let fixture = try LNDFixture()
        fixture.node.state.withLock {
            $0.channels[0].isPrivate = true
            $0.channels[0].alias = 17_592_186_044_416_000_001
            $0.channels.append(FakeChannel())
            $0.channels[1].id = 99
            $0.channels[1].isPrivate = true
            $0.channels[1].isDisabled = true
        }
        let plain = try fixture.backend()
        #expect(plain.capabilities.offers == .none)
        #expect(try await plain.nodeInfo().introductionPeers == [])
        let backend = try fixture.backend { $0.answersOffers = true }
        #expect(backend.capabilities.offers == .builtHere)
        let info = try await backend.nodeInfo()
        #expect(!info.isPublic)
        #expect(
            info.introductionPeers == [
                PaymentPath.Relay(
                    nodeID: try PublicKey(hexadecimal: FakeChannel().peer),
                    next: .channel(ShortChannelID(17_592_186_044_416_000_001)),
                    terms: PaymentRelay(cltvExpiryDelta: 144, feeProportionalMillionths: 250, feeBase: 1500),
                    htlcMinimum: Millisatoshi(1000), htlcMaximum: Millisatoshi(4_000_000_000))
            ])
    }

    @Test(
        "A node that cannot be paid over blinded paths is unreachable for offers; without them only its channels count",
        arguments: [
            (true, "0.19.3-beta commit=", true), (true, "0.18.3-beta commit=v0.18.3-beta", true), (true, "1.0.0", true),
            (true, "our own", true), (false, "0.19.3-beta commit=", false), (true, "0.18.2-beta commit=", false),
            (true, "0.17.5-beta", false),
        ])
    func blinding(knowsRouteBlinding: Bool, version: String, isReached: Bool) async throws {
        let fixture = try LNDFixture()
        fixture.node.state.withLock { state in
            state.knowsRouteBlinding = knowsRouteBlinding
            state.version = version
        }
        let answering = try await fixture.backend { $0.answersOffers = true }.nodeInfo()
        #expect(answering.isPublic == isReached)
        #expect(answering.introductionPeers.isEmpty != isReached)
        #expect(try await fixture.backend().nodeInfo().isPublic)
    }
}

@Suite("What LND can forward to a peer", .timeLimit(.minutes(5)))
struct ForwardingTests {
    private func sendable(_ change: (inout FakeChannel) -> Void) async throws -> UInt64? {
        let fixture = try LNDFixture()
        var channel = FakeChannel()
        change(&channel)
        fixture.node.state.withLock { $0.channels = [channel] }
        let peer = try await fixture.backend().forwardingPeer(PublicKey(hexadecimal: channel.peer))
        return peer?.channels.first?.sendable.msat
    }

    @Test("It is our balance less our reserve and, if we pay for the commitment, the possible increase of its fee")
    func balance() async throws {
        #expect(try await sendable { $0.isInitiator = false } == 999_923_000)
        #expect(try await sendable { _ in } == 999_923_000 - 500 * (1124 + 4 * 172))
        #expect(try await sendable { $0.localBalance = 10 } == 0)
    }

    @Test("One channel of several may be inactive while the peer is connected")
    func inactive() async throws {
        let fixture = try LNDFixture()
        var away = FakeChannel()
        away.isActive = false
        fixture.node.state.withLock { $0.channels = [away, FakeChannel()] }
        let peer = try await fixture.backend().forwardingPeer(PublicKey(hexadecimal: away.peer))
        #expect(peer?.isConnected == true)
        #expect(peer?.channels.map(\.isEnabled) == [false, true])
    }
}
