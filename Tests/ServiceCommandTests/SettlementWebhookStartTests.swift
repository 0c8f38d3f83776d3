import ArgumentParser
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

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite("The settlement webhook for all accounts", .timeLimit(.minutes(5)))
struct SettlementWebhookStartTests: CommandFixture {
    let temporary = TemporaryFolder()

    private func webhook() throws -> [String] {
        let file = temporary.path + "/secret"
        try PrivateFile(path: file).create("whsec_\(String(repeating: "A", count: 43))=".utf8)
        return ["--settlement-webhook-url", "https://shop.example/paid", "--settlement-webhook-secret-file", file]
    }

    private func opened(_ words: [String]) async throws -> Installation {
        try await Installation.openOrMake(SettingOptions.parse(data + words).configuration())
    }

    private func isTold() async throws -> Bool {
        let installation = try await opened([])
        let isTold = try await installation.ledger.tellsSettlementsOfAll()
        await installation.close()
        return isTold
    }

    /// An instance that another machine runs.
    private func other(tells: Bool) throws -> InstanceRecord {
        let address = ListenAddress(host: "127.0.0.1", port: 1)
        return InstanceRecord(
            id: try #require(InstanceID("other")), name: .unnamed, process: 1, version: "1", startedAt: .now(),
            payers: address, admin: address, publicURL: nil, keys: KeysFingerprint(of: [SecretBytes([1])]),
            tellsSettlementsOfAll: tells)
    }

    @Test("A start that is refused neither switches it on nor off", arguments: [true, false])
    func refusedStart(wasTold: Bool) async throws {
        let words = try webhook()
        let installation = try await opened([])
        try await installation.ledger.tellSettlementsOfAll(wasTold)
        // Components are made before it is known whether the service may start.
        _ = try await installation.serviceParts()
        await installation.close()
        let busy = try TakenPort()
        let exit = await #expect(throws: ExitCode.self) {
            try await Serve.parse(
                [
                    "--public-url", "http://127.0.0.1:8080", "--listen", "127.0.0.1:0", "--admin-listen", busy.address,
                ] + (wasTold ? [] : words) + data
            ).run()
        }
        #expect(exit?.rawValue == ExitStatus.unavailable.rawValue)
        #expect(try await isTold() == wasTold)
    }

    @Test("An instance without it is refused while another one has it, and switches it off once none has")
    func missing() async throws {
        let installation = try await opened([])
        try await installation.ledger.tellSettlementsOfAll(true)
        try await installation.ledger.register(other(tells: true), isAlone: true)
        let failure = await #expect(throws: CommandFailure.self) {
            try await installation.announceSettlementWebhook()
        }
        #expect(failure?.status == .configuration)
        #expect(
            failure?.reasons == [
                "settlement-webhook.url is not set, but running instances announce payments to theirs: other; set it here, "
                    + "or stop all instances before it is removed"
            ])
        #expect(try await installation.ledger.tellsSettlementsOfAll())
        try await installation.ledger.register(other(tells: false), isAlone: true)
        try await installation.announceSettlementWebhook()
        #expect(try await !installation.ledger.tellsSettlementsOfAll())
        await installation.close()
    }

    @Test("An instance that has it starts while another one has it too")
    func both() async throws {
        let installation = try await opened(webhook())
        try await installation.ledger.register(other(tells: true), isAlone: true)
        try await installation.announceSettlementWebhook()
        #expect(try await installation.ledger.tellsSettlementsOfAll())
        await installation.close()
    }

    @Test("The secret of a webhook is found from another directory too, by an absolute path")
    func relativeSecret() throws {
        let file = try #require(webhook().last)
        let directory = try #require(getcwd(nil, 0).map { String(cString: $0) })
        let steps = directory.split(separator: "/").map { _ in "../" }.joined()
        let relative = steps + file.dropFirst()
        func secretFile(_ path: String) throws -> String {
            try SettlementWebhook(argument: "https://shop.example/paid", secretFile: path).secretFile
        }
        #expect(try secretFile(relative) == directory + "/" + relative)
        #expect(try secretFile(file) == file)
        let failure = #expect(throws: CommandFailure.self) { try secretFile(relative + "2") }
        #expect(failure?.status == .data)
    }

    @Test("An instance that has it says so to others, and switches it on")
    func present() async throws {
        let installation = try await opened(webhook())
        try await installation.ledger.register(other(tells: false), isAlone: true)
        try await installation.announceSettlementWebhook()
        #expect(try await installation.ledger.tellsSettlementsOfAll())
        let instance = try installation.instance(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await instance.register()
        let told = try await installation.ledger.instances().filter(\.record.tellsSettlementsOfAll).map(\.record.id)
        #expect(told == [instance.id])
        await installation.close()
    }
}
