import BackendContract
import Bolt12
import FakeNode
import LightningCoding
import LightningCrypto
import LoopbackServer
import Phoenixd
import Platform
import ResponderModel
import TemporaryFolders
import Testing

@Suite("phoenixd, and the way into it", .timeLimit(.minutes(5)))
struct NodeTests {
    private func info(_ backend: PhoenixdBackend) async -> BackendFault? {
        await fault { () async throws(BackendFault) in _ = try await backend.nodeInfo() }
    }

    @Test("Id, chain, height and version are the node's own; its channels are not public")
    func nodeInfo() async throws {
        let fixture = try PhoenixdFixture()
        let backend = try fixture.backend()
        let info = NodeInfo(
            nodeID: fixture.node.key.publicKey, network: .regtest, blockHeight: 812_345, isSynchronized: true,
            isPublic: false, version: "phoenixd 0.7.2-402c2ea")
        #expect(try await backend.nodeInfo() == info)
        fixture.node.state.withLock { $0.knowsHeight = false }
        #expect(try await backend.nodeInfo().isSynchronized == false)
        fixture.node.state.withLock { $0.chain = "testnet4" }
        #expect(await self.info(backend) == .malformedAnswer("an unknown network: testnet4"))
    }

    @Test("What can be received is what usable channels say, in whole satoshis")
    func limits() async throws {
        let fixture = try PhoenixdFixture()
        fixture.node.state.withLock {
            $0.channels = [
                FakePhoenixd.channel(inbound: 1000), FakePhoenixd.channel("Offline", inbound: 500),
                FakePhoenixd.channel("WaitForFundingConfirmed", inbound: nil), FakePhoenixd.channel(inbound: 7),
            ]
        }
        let limits = try await fixture.backend().limits()
        #expect(limits == ReceiveLimits(minimum: Millisatoshi(1000), maximum: Millisatoshi(1_007_000)))
    }

    @Test("Without inbound liquidity there are no limits, unless the node may buy some")
    func purchases() async throws {
        let fixture = try PhoenixdFixture()
        fixture.node.state.withLock { $0.channels = [] }
        let careful = try fixture.backend()
        #expect(await fault { () async throws(BackendFault) in _ = try await careful.limits() } == .nothingReceivable)
        let buying = try fixture.backend { $0.maximumWithPurchase = Millisatoshi(2_000_500) }
        #expect(
            try await buying.limits() == ReceiveLimits(minimum: Millisatoshi(1000), maximum: Millisatoshi(2_000_000)))
        fixture.node.state.withLock { $0.channels = [FakePhoenixd.channel(inbound: 9000)] }
        #expect(
            try await fixture.backend { $0.maximumWithPurchase = Millisatoshi(1) }.limits().maximum.msat == 9_000_000)
    }

    @Test("A wrong password is named, and its file read again")
    func password() async throws {
        let fixture = try PhoenixdFixture()
        try writeFile(Array("wrong".utf8), to: fixture.passwordPath)
        let backend = try fixture.backend()
        #expect(await info(backend) == .refused("the password is not accepted"))
        try writeFile(Array(FakePhoenixd.password.utf8), to: fixture.passwordPath, mode: 0o640)
        let path = fixture.passwordPath
        #expect(
            await info(backend)
                == .refused("the password file \(path): it is accessible to others (mode 640); it must be 600"))
        try writeFile(Array(FakePhoenixd.password.utf8), to: path)
        #expect(await info(backend) == nil)
    }

    @Test("A password never travels in the open, and a secret of webhooks that cannot be read is told at the start")
    func start() throws {
        let fixture = try PhoenixdFixture()
        let refusal = BackendFault.refused("the URL must begin with https, or lead to this machine or an onion service")
        #expect(throws: refusal) {
            try fixture.backend { $0.url = try HTTPURL("http://10.0.0.1:9740") }
        }
        #expect(throws: BackendFault.refused("the webhook secret file /none: no such file")) {
            try fixture.backend { $0.webhookSecretPath = "/none" }
        }
    }

    @Test("The one offer of the node is one label's, for any amount")
    func offer() async throws {
        let fixture = try PhoenixdFixture()
        let backend = try fixture.backend()
        #expect(backend.capabilities.offers == .ownOffers)
        #expect(try await backend.offer(OfferOrder(label: "alice", description: "")) == fixture.node.offer)
        let others = [
            OfferOrder(label: "bob", description: ""),
            OfferOrder(label: "alice", description: "", amount: Millisatoshi(1000)),
            OfferOrder(label: "alice", description: "", quantityMax: 3),
            OfferOrder(label: "alice", description: "", absoluteExpiry: fixture.now),
        ]
        for order in others {
            #expect(
                await fault { () async throws(BackendFault) in _ = try await backend.offer(order) } == .unsupported)
        }
        #expect(try fixture.backend { $0.offerLabel = nil }.capabilities.offers == .none)
    }

    @Test("Answers that are none of its own are told apart")
    func modes() async throws {
        let fixture = try PhoenixdFixture()
        let backend = try fixture.backend()
        let modes: [(FakeHTTPServer.Mode, BackendFault)] = [
            (
                .answering(LoopbackAnswer("<html>")),
                .malformedAnswer("no JSON: invalid character, at byte 0")
            ),
            (.answering(LoopbackAnswer("[]")), .malformedAnswer("no object")),
            (.answering(LoopbackAnswer(status: 404, "")), .refused("status 404: no such call")),
            (.answering(LoopbackAnswer(status: 503, "")), .unreachable("status 503")),
            (.answering(LoopbackAnswer(status: 500, "boom\u{1b}[31m")), .refused("status 500: boom\\u{1b}[31m")),
        ]
        for (mode, expected) in modes {
            fixture.node.server.mode = mode
            #expect(await info(backend) == expected)
        }
        fixture.node.server.mode = .well
        #expect(await info(backend) == nil)
    }
}
