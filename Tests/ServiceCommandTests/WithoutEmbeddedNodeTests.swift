import ArgumentParser
import HTTPService
import ServiceSetup
import LightningCoding
import Logging
import OnionPeer
import Platform
import ResponderModel
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite("An installation with real nodes only", .timeLimit(.minutes(5)))
struct WithoutEmbeddedNodeTests {
    private let temporary = TemporaryFolder()

    /// Nothing listens there; nothing below calls a node.
    private static let hook = "{kind: hook, url: 'http://127.0.0.1:1/'}"

    private func arguments(_ nodes: String) throws -> [String] {
        let file = PrivateFile(path: temporary.path + "/responder.yaml")
        file.remove()
        try file.create("backends: \(nodes)\n".utf8)
        return ["--config", file.path, "--data-directory", temporary.path + "/data"]
    }

    private func run<Command: ReportingCommand>(
        _: Command.Type, _ words: String..., on nodes: String
    ) async throws -> CommandResult {
        try await Command.parse(words + arguments(nodes)).perform()
    }

    @Test("No embedded node is created or listed, and a new account uses the only node")
    func onlyNode() async throws {
        let nodes = "{main: \(Self.hook)}"
        let listed = try await run(BackendCommands.List.self, on: nodes)
        #expect(listed.json["backends"] == [["name": "main", "kind": "hook", "default": true]])
        #expect(try await run(AccountAdd.self, "alice", on: nodes).json["backend"] == "main")
        #expect(!PrivateFile(path: temporary.path + "/data/embedded-node.key").exists)
        #expect(try await run(Check.self, on: nodes).json["sound"] == true)
        let saved = temporary.path + "/backup"
        let files = try await run(Backup.self, saved, on: nodes).json["files"]?.array?.map(\.string)
        #expect(
            files == [
                "ledger.sqlite", "challenge.key", "webhook.key", "offer-seed.key", "responder.key", "admin.token",
            ])
    }

    @Test("With several nodes none is chosen by default")
    func severalNodes() async throws {
        let nodes = "{one: \(Self.hook), two: \(Self.hook)}"
        let refusal = CommandFailure(
            .usage,
            "several nodes are configured: one, two; choose one: `account add alice@127.0.0.1:8080 --backend …`")
        await #expect(throws: refusal) { try await run(AccountAdd.self, "alice", on: nodes) }
        #expect(try await run(AccountAdd.self, "alice", "--backend", "two", on: nodes).json["backend"] == "two")
        let listed = try await run(BackendCommands.List.self, on: nodes)
        #expect(listed.json["backends"]?.array?.map { $0["default"] } == [false, false])
    }

    @Test(
        "With a Lightning peer the service starts even while no node answers, with or without a trial node"
    )
    func silentNodes() async throws {
        let peer = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798@127.0.0.1:1"
        for (nodes, network) in [
            ("{main: \(Self.hook)}", nil), ("{main: \(Self.hook), trial: {kind: embedded}}", nil),
            ("{main: {kind: hook, url: 'http://127.0.0.1:1/', network: bitcoin}, trial: {kind: embedded}}", .bitcoin),
            ("{}", .regtest),
        ] as [(String, Network?)] {
            let words = try arguments(nodes) + ["--onion-peer-connect", peer]
            let installation = try await Installation.openOrMake(SettingOptions.parse(words).configuration())
            let peers = try await LightningPeers(
                installation, installation.responder(),
                installation.instance(Logger(label: "test")),
                metrics: PrometheusMetrics(), logger: Logger(label: "test"))
            #expect(peers?.settings.network == network)
            await installation.ledger.close()
        }
    }

    @Test("Without a node no account is made, and of those that are there the first five are named")
    func noNode() async throws {
        let advice =
            "no node is configured, and only wallets make invoices: name a node below `backends`, or set `trial`"
        let url = ["--public-url", "https://pay.example"]
        let without =
            ["--data-directory", temporary.path + "/data", "--gateway-enabled", "--gateway-hosts", "example.org"] + url
        await #expect(throws: CommandFailure(.configuration, advice)) {
            try await AccountAdd.parse(["alice"] + without).perform()
        }
        for number in 1...6 {
            let nodes = try arguments("{embedded: {kind: embedded}}")
            _ = try await AccountAdd.parse(["a\(number)"] + url + nodes).perform()
            guard number >= 5 else { continue }
            let installation = try await Installation.open(SettingOptions.parse(without).configuration())
            let names = (1...5).map { "a\($0) (embedded)" }.joined(separator: ", ")
            let more = number == 6 ? " and 1 more" : ""
            #expect(try await installation.orphans() == "these accounts cannot be paid: \(names)\(more); \(advice)")
            await installation.close()
        }
    }

    @Test("Only a payment settles an invoice")
    func settle() async throws {
        let nodes = "{main: \(Self.hook)}"
        _ = try await run(AccountAdd.self, "alice", on: nodes)
        await #expect(
            throws: CommandFailure(.no, "no embedded node is configured; other invoices are settled only by payment")
        ) { try await run(Settle.self, String(repeating: "0", count: 64), on: nodes) }
    }

    @Test("A folder with accounts of the embedded node stays readable, and advice about them is given once")
    func orphans() async throws {
        let trial = "{embedded: {kind: embedded}}"
        let real = "{main: \(Self.hook)}"
        for name in ["alice", "bob"] { _ = try await run(AccountAdd.self, name, on: trial) }
        #expect(try await run(AccountList.self, on: real).json["accounts"]?.array?.count == 2)
        #expect(try await run(AccountShow.self, "alice", on: real).json["backend"] == "embedded")
        #expect(try await run(Check.self, on: real).json["accounts"] == 2)
        func orphans(on nodes: String) async throws -> String? {
            let installation = try await Installation.open(SettingOptions.parse(arguments(nodes)).configuration())
            defer { Task { await installation.ledger.close() } }
            return try await installation.orphans()
        }
        let said = "these accounts cannot be paid, since their node is not configured: "
        let advice =
            "; `account set alice --backend …` moves an account to one of: main; "
            + "`backends: {embedded: {kind: embedded}}` restores the embedded node"
        #expect(try await orphans(on: real) == said + "alice (embedded), bob (embedded)" + advice)
        #expect(try await orphans(on: trial) == nil)
        await #expect(
            throws: CommandFailure(
                .usage,
                "no backend is called embedded; configured are: main")
        ) { try await run(AccountSet.self, "alice", "--comment-allowed", "3", on: real) }
        for name in ["alice", "bob"] { _ = try await run(AccountSet.self, name, "--backend", "main", on: real) }
        #expect(try await orphans(on: real) == nil)
    }
}
