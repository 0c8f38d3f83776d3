import ArgumentParser
import EmbeddedNode
import HTTPService
import ServiceSetup
import LightningCoding
import LightningCrypto
import Logging
import Platform
import ResponderCore
import ResponderModel
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite("The command `instances`", .timeLimit(.minutes(5)))
struct InstancesCommandTests: CommandFixture {
    let temporary = TemporaryFolder()

    private func installation(_ words: String...) async throws -> Installation {
        try await Installation.openOrMake(SettingOptions.parse(data + words).configuration())
    }

    private func instance(of installation: Installation) throws -> ServiceInstance {
        try installation.instance(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test("shows each instance with its version and what it does, until it ends")
    func lists() async throws {
        let installation = try await installation("--instance-name", "pay-1")
        #expect(try await run(Instances.self).text == "No instance is running.\n")
        let instance = try instance(of: installation)
        #expect(instance.id.text.hasPrefix("pay-1-"))
        try await instance.register()
        #expect(try await run(Instances.self).text.hasSuffix("  holds no lease\n"))
        _ = try await installation.ledger.lease(.onion, for: instance.id, lasting: 60)
        let shown = try await run(Instances.self)
        #expect(shown.text.hasPrefix("\(instance.id)  \(SoftwareVersion.text)\n"))
        #expect(shown.text.hasSuffix("  holds onion\n"))
        let json = try #require(shown.json["instances"]?.array?.first)
        #expect(json["id"] == .string(instance.id.text) && json["name"] == "pay-1" && json["leases"] == ["onion"])
        await instance.leave()
        #expect(try await run(Instances.self).json == ["instances": []])
        await installation.close()
    }

    @Test("forgets the keys that were used, but not while an instance runs")
    func forgetsKeys() async throws {
        let installation = try await installation()
        let instance = try instance(of: installation)
        try await instance.register()
        await #expect(throws: CommandFailure(.no, "stop all instances first: \(instance.id)")) {
            try await run(Instances.self, "--forget-keys")
        }
        await instance.leave()
        let address = ListenAddress(host: "127.0.0.1", port: 1)
        let stranger = InstanceRecord(
            id: try #require(InstanceID("stranger")), name: .unnamed, process: 1, version: "1", startedAt: .now(),
            payers: address, admin: address, publicURL: nil, keys: KeysFingerprint(of: [SecretBytes([1])]))
        await #expect(throws: LedgerFault.otherKeys) {
            try await installation.ledger.register(stranger, isAlone: false)
        }
        try await run(Instances.self, "--forget-keys")
        try await installation.ledger.register(stranger, isAlone: false)
        await installation.close()
    }

    @Test("A service whose ledger is a file is alone on it, and does not drain unless told to")
    func alone() async throws {
        let installation = try await installation()
        #expect(try instance(of: installation).terms == .alone)
        #expect(installation.configuration.service.drainTime == 0)
        await installation.close()
        #expect(try SettingOptions.parse(data + ["--drain-time", "7"]).configuration().service.drainTime == 7)
    }

    @Test("A service that shares its ledger drains for five seconds unless told otherwise")
    func shared() throws {
        func drainTime(_ words: String...) throws -> UInt64 {
            try SettingOptions.parse(data + ["--ledger-url", "postgresql:///x"] + words).configuration().service
                .drainTime
        }
        #expect(try drainTime() == 5)
        #expect(try drainTime("--drain-time", "0") == 0)
    }

    @Test("Services with data folders of their own share one embedded node by its database and key")
    func sharedNode() async throws {
        let shared = temporary.path + "/shared/node.sqlite"
        let one = try await installation("--embedded-database", shared)
        let other = temporary.path + "/other"
        try DataFolder(path: other).create()
        let key = try one.folder.keys.first { $0.name == "embedded-node.key" }
        try writeFile(contentsOfFile(#require(key).file.path), to: other + "/embedded-node.key")
        let two = try await Installation.openOrMake(
            SettingOptions.parse(["--data-directory", other, "--embedded-database", shared]).configuration())
        let made = try await #require(one.embedded).createInvoice(
            InvoiceOrder(amount: Millisatoshi(1_000), description: .text("x"), expiry: 60, label: "x"))
        try await #require(two.embedded).pay(made.bolt11, at: .now())
        guard case .settled = try await #require(one.embedded).status(of: made.paymentHash) else {
            Issue.record("not settled")
            return
        }
        #expect(one.folder.embeddedNode == shared)
        await one.close()
        await two.close()
    }
}
