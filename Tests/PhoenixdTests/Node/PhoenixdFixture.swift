import BackendContract
import Bolt12
import FakeNode
import LightningCoding
import LoopbackServer
import Phoenixd
import ResponderModel
import TemporaryFolders

/// A fake phoenixd with the files that open it.
final class PhoenixdFixture: BackendFixture {
    let node: FakePhoenixd
    let folder = TemporaryFolder()

    init() throws {
        node = try FakePhoenixd()
        try writeFile(Array((FakePhoenixd.password + "\n").utf8), to: passwordPath)
        try writeFile(Array((FakePhoenixd.webhookSecret + "\n").utf8), to: secretPath)
    }

    var passwordPath: String { folder.path + "/password" }
    var secretPath: String { folder.path + "/secret" }

    func backend(_ change: (inout PhoenixdConfiguration) throws -> Void = { _ in }) throws -> PhoenixdBackend {
        var configuration = PhoenixdConfiguration(
            url: try HTTPURL("http://127.0.0.1:\(node.server.port)"), passwordPath: passwordPath, offerLabel: "alice")
        configuration.limits.answerTimeout = .seconds(30)
        try change(&configuration)
        return try PhoenixdBackend(configuration, clock: { [node] in node.now }, ticks: { [node] in node.ticks() })
    }

    func connect() async throws -> any ReceiveBackend { try backend() }

    var now: UnixTime { node.now }

    func advance(seconds: UInt64) async throws { node.advance(milliseconds: seconds * 1000) }

    func pay(_ bolt11: String, _ amount: Millisatoshi) async throws { try node.pay(bolt11, amount) }

    func pay(_ offer: Offer, _ amount: Millisatoshi) async throws { try node.pay(offer, amount) }

    func stop() async throws -> Bool {
        node.server.mode = .gone
        node.wake()
        return true
    }

    func start() async throws {
        node.server.mode = .well
        node.wake()
    }

    func set(_ trouble: NodeTrouble?) async throws -> Bool {
        let words = "Invalid authentication (use basic auth with the http password set in phoenix.conf)"
        node.server.set(trouble, denial: LoopbackAnswer(status: 401, words, type: "text/plain"))
        node.wake()
        return true
    }
}
