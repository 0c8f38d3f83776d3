import BackendContract
import FakeNode
import LND
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import TemporaryFolders

/// A fake LND with its credential files.
final class LNDFixture: BackendFixture {
    let node: FakeLND
    let folder = TemporaryFolder()

    init() throws {
        node = try FakeLND()
        try writeFile(FakeLND.macaroon, to: macaroonPath)
    }

    var macaroonPath: String { folder.path + "/macaroon" }

    var configuration: LNDConfiguration {
        get throws {
            var configuration = LNDConfiguration(
                url: try HTTPURL("http://127.0.0.1:\(node.server.port)"), macaroonPath: macaroonPath)
            configuration.limits.answerTimeout = .seconds(30)
            return configuration
        }
    }

    func backend(_ change: (inout LNDConfiguration) throws -> Void = { _ in }) throws -> LNDBackend {
        var configuration = try self.configuration
        try change(&configuration)
        return try LNDBackend(
            configuration, pause: { try await Task.sleep(for: .milliseconds(2)) })
    }

    func connect() async throws -> any ReceiveBackend { try backend() }

    var now: UnixTime { node.now }

    func advance(seconds: UInt64) async throws { node.advance(seconds: seconds) }

    func pay(_ bolt11: String, _ amount: Millisatoshi) async throws { try node.pay(bolt11, amount) }

    func rebuild() async throws -> Bool {
        node.state.withLock { state in
            state.invoices = []
            state.settlements = 0
        }
        return true
    }

    func openChannels(to peer: PublicKey, sendable: [Millisatoshi], isConnected: Bool) async throws -> Bool {
        let channels = sendable.map { amount in
            var channel = FakeChannel()
            channel.peer = peer.hexadecimal
            channel.isActive = isConnected
            channel.isInitiator = false
            channel.localBalance = Int(amount.msat / 1000) + channel.localReserve
            return channel
        }
        node.state.withLock { state in
            state.channels.removeAll { $0.peer == peer.hexadecimal }
            state.channels += channels
        }
        return true
    }

    func stop() async throws -> Bool {
        node.server.mode = .gone
        return true
    }

    func start() async throws { node.server.mode = .well }

    func set(_ trouble: NodeTrouble?) async throws -> Bool {
        let words = "verification failed: signature mismatch after caveat verification"
        node.server.set(trouble, denial: FakeLND.Refusal(words).answer)
        return true
    }
}
