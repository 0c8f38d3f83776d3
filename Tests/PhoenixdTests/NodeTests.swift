import NodeCalls
import Locking
import LightningCrypto
import Bolt12
import Bolt11
import LightningCoding
import LoopbackServer
import Phoenixd
import PlayedNode
import Receiving
import TemporaryFolders
import Testing

@Suite("phoenixd, and the way into it", .timeLimit(.minutes(1)))
struct NodeTests {
    private func info(_ backend: PhoenixdBackend) async -> BackendFault? {
        await fault { () async throws(BackendFault) in _ = try await backend.nodeInfo() }
    }

    @Test("Id, chain, height and version are the node's own; its channels are not public")
    func nodeInfo() async throws {
        let bench = try PhoenixdBench()
        let backend = try bench.backend()
        let info = NodeInfo(
            nodeID: bench.node.key.publicKey, network: .regtest, blockHeight: 812_345, isSynchronised: true,
            isPublic: false, version: "phoenixd 0.7.2-402c2ea")
        #expect(try await backend.nodeInfo() == info)
        bench.node.state.withLock { $0.knowsHeight = false }
        #expect(try await backend.nodeInfo().isSynchronised == false)
        bench.node.state.withLock { $0.chain = "testnet4" }
        #expect(await self.info(backend) == .malformedAnswer("a network that is not known here: testnet4"))
    }

    @Test("What can be received is what usable channels say, in whole satoshis")
    func limits() async throws {
        let bench = try PhoenixdBench()
        bench.node.state.withLock {
            $0.channels = [
                PlayedPhoenixd.channel(inbound: 1000), PlayedPhoenixd.channel("Offline", inbound: 500),
                PlayedPhoenixd.channel("WaitForFundingConfirmed", inbound: nil), PlayedPhoenixd.channel(inbound: 7),
            ]
        }
        let limits = try await bench.backend().limits()
        #expect(limits == ReceiveLimits(minimum: Millisatoshi(1000), maximum: Millisatoshi(1_007_000)))
    }

    @Test("Without inbound liquidity there are no limits, unless the node may buy some")
    func purchases() async throws {
        let bench = try PhoenixdBench()
        bench.node.state.withLock { $0.channels = [] }
        let careful = try bench.backend()
        #expect(await fault { () async throws(BackendFault) in _ = try await careful.limits() } == .nothingReceivable)
        let buying = try bench.backend { $0.maximumWithPurchase = Millisatoshi(2_000_500) }
        #expect(
            try await buying.limits() == ReceiveLimits(minimum: Millisatoshi(1000), maximum: Millisatoshi(2_000_000)))
        bench.node.state.withLock { $0.channels = [PlayedPhoenixd.channel(inbound: 9000)] }
        #expect(try await bench.backend { $0.maximumWithPurchase = Millisatoshi(1) }.limits().maximum.msat == 9_000_000)
    }

    @Test("A wrong password is named, and its file read again")
    func password() async throws {
        let bench = try PhoenixdBench()
        try writeFile(Array("wrong".utf8), to: bench.passwordPath)
        let backend = try bench.backend()
        #expect(await info(backend) == .refused("the password is not accepted"))
        try writeFile(Array(PlayedPhoenixd.password.utf8), to: bench.passwordPath, mode: 0o640)
        let path = bench.passwordPath
        #expect(
            await info(backend) == .refused("the password file \(path) is open to other users (mode 640): chmod 600"))
        try writeFile(Array(PlayedPhoenixd.password.utf8), to: path)
        #expect(await info(backend) == nil)
    }

    @Test("A password never travels in the open, and a secret of webhooks that cannot be read is told at the start")
    func start() throws {
        let bench = try PhoenixdBench()
        let refusal = BackendFault.refused("the URL must begin with https, or lead to this machine or an onion service")
        #expect(throws: refusal) {
            try bench.backend { $0.url = try HTTPURL("http://10.0.0.1:9740") }
        }
        #expect(throws: BackendFault.refused("the webhook secret file /none is not there")) {
            try bench.backend { $0.webhookSecretPath = "/none" }
        }
    }

    @Test("The one offer of the node is one label's, for any amount")
    func offer() async throws {
        let bench = try PhoenixdBench()
        let backend = try bench.backend()
        #expect(backend.capabilities.offers == .ownOffers)
        #expect(try await backend.offer(OfferOrder(label: "alice", description: "")) == bench.node.offer)
        let others = [
            OfferOrder(label: "bob", description: ""),
            OfferOrder(label: "alice", description: "", amount: Millisatoshi(1000)),
            OfferOrder(label: "alice", description: "", quantityMax: 3),
            OfferOrder(label: "alice", description: "", absoluteExpiry: bench.now),
        ]
        for order in others {
            #expect(
                await fault { () async throws(BackendFault) in _ = try await backend.offer(order) } == .unsupported)
        }
        #expect(try bench.backend { $0.offerLabel = nil }.capabilities.offers == .none)
    }

    @Test("Answers that are none of its own are told apart")
    func moods() async throws {
        let bench = try PhoenixdBench()
        let backend = try bench.backend()
        let moods: [(PlayedDoor.Mood, BackendFault)] = [
            (
                .answering(LoopbackAnswer("<html>")),
                .malformedAnswer("no JSON: a character does not belong there, at byte 0")
            ),
            (.answering(LoopbackAnswer("[]")), .malformedAnswer("no object")),
            (.answering(LoopbackAnswer(status: 404, "")), .refused("status 404: there is no such call")),
            (.answering(LoopbackAnswer(status: 503, "")), .unreachable("status 503")),
            (.answering(LoopbackAnswer(status: 500, "boom\u{1b}[31m")), .refused("status 500: boom\\u{1b}[31m")),
        ]
        for (mood, expected) in moods {
            bench.node.door.mood = mood
            #expect(await info(backend) == expected)
        }
        bench.node.door.mood = .well
        #expect(await info(backend) == nil)
    }
}
