import NodeCalls
import BackendContract
import Bolt12
import LightningCoding
import LoopbackServer
import Phoenixd
import PlayedNode
import Receiving
import TemporaryFolders

/// A played phoenixd with the files that open it.
final class PhoenixdBench: BackendBench {
    let node: PlayedPhoenixd
    let folder = TemporaryFolder()

    init() throws {
        node = try PlayedPhoenixd()
        try writeFile(Array((PlayedPhoenixd.password + "\n").utf8), to: passwordPath)
        try writeFile(Array((PlayedPhoenixd.webhookSecret + "\n").utf8), to: secretPath)
    }

    var passwordPath: String { folder.path + "/password" }
    var secretPath: String { folder.path + "/secret" }

    func backend(_ change: (inout PhoenixdConfiguration) throws -> Void = { _ in }) throws -> PhoenixdBackend {
        var configuration = PhoenixdConfiguration(
            url: try HTTPURL("http://127.0.0.1:\(node.door.port)"), passwordPath: passwordPath, offerLabel: "alice")
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
        node.door.mood = .gone
        node.wake()
        return true
    }

    func start() async throws {
        node.door.mood = .well
        node.wake()
    }

    func set(_ trouble: NodeTrouble?) async throws -> Bool {
        let words = "Invalid authentication (use basic auth with the http password set in phoenix.conf)"
        node.door.set(trouble, denial: LoopbackAnswer(status: 401, words, type: "text/plain"))
        node.wake()
        return true
    }
}
