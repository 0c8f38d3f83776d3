import LedgerRecords
import ServiceSetup
import ArgumentParser
import LNURL
import LightningCoding
import LightningCrypto
import Logging
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@testable import ServiceCommand

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite("The public URL of an installation", .timeLimit(.minutes(5)))
struct PublicURLTests {
    private let temporary = TemporaryFolder()
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func arguments(_ publicURL: String? = nil) -> [String] {
        ["--data-directory", temporary.path + "/data", "--trial"] + (publicURL.map { ["--public-url", $0] } ?? [])
    }

    private func configuration(_ publicURL: String) throws -> ServiceConfiguration {
        try SettingOptions.parse(arguments(publicURL)).configuration()
    }

    private func address(_ publicURL: String? = nil) async throws -> String? {
        try await AccountShow.parse(["alice"] + arguments(publicURL)).perform().json["address"]?.string
    }

    /// The identifier shown to payers.
    private func identifier() async throws -> String? {
        let installation = try await Installation.open(SettingOptions.parse(arguments()).configuration())
        let account = try await installation.account(named: installation.id(of: AccountArgument("alice")))
        return try account.flatMap { try PayMetadata(parsing: $0.metadata).identifier }
    }

    private func serve(_ publicURL: String) async throws {
        let installation = try await Installation.openToServe(configuration(publicURL))
        try await installation.announcePublicURL(logger)
    }

    @Test("Before the service has run, commands use the configured URL, and the service then publishes its own")
    func first() async throws {
        let added = try await AccountAdd.parse(["alice"] + arguments("https://a.example")).perform()
        #expect(added.json["address"] == "alice@a.example")
        try await serve("https://b.example")
        #expect(try await identifier() == "alice@b.example")
    }

    @Test("Before the service has run, a command takes an earlier one's URL, unless it writes and is given another")
    func firstAdopted() async throws {
        func add(_ name: String, at publicURL: String? = nil) async throws -> String? {
            try await AccountAdd.parse([name] + arguments(publicURL)).perform().json["address"]?.string
        }
        #expect(try await add("alice", at: "https://a.example") == "alice@a.example")
        #expect(try await add("bob") == "bob@a.example")
        #expect(try await address("https://z.example") == "alice@a.example")
        #expect(try await add("carol", at: "https://c.example") == "carol@c.example")
        #expect(try await address() == "alice@c.example")
    }

    @Test("A command without a URL uses the service's, also for metadata that it creates")
    func adopted() async throws {
        try await serve("https://b.example")
        _ = try await AccountAdd.parse(["alice"] + arguments()).perform()
        #expect(try await identifier() == "alice@b.example")
        _ = try await AccountSet.parse(["alice", "--description", "Tea"] + arguments()).perform()
        #expect(try await identifier() == "alice@b.example")
        #expect(try await address("https://b.example") == "alice@b.example")
    }

    @Test("A command with a URL other than the service's refuses")
    func refused() async throws {
        try await serve("https://b.example")
        let failure = await #expect(throws: CommandFailure.self) {
            try await AccountAdd.parse(["alice"] + arguments("https://a.example")).perform()
        }
        #expect(failure?.status == .configuration)
        #expect(failure?.reasons.first?.contains("https://b.example") == true)
        #expect(try await identifier() == nil)
    }

    @Test("Without a change nothing is rebuilt")
    func unchanged() async throws {
        try await serve("https://b.example")
        let added = try await AccountAdd.parse(["alice"] + arguments()).perform()
        try await serve("https://b.example")
        #expect(added.json["version"] == 1)
        #expect(try await AccountShow.parse(["alice"] + arguments()).perform().json["version"] == 1)
    }

    @Test("A service without a URL keeps the one it had, unless that was the default, which follows `listen`")
    func keeps() async throws {
        func served(_ words: String...) async throws -> String? {
            let installation = try await Installation.openToServe(
                SettingOptions.parse(arguments() + words).configuration())
            try await installation.announcePublicURL(logger)
            let url = try await installation.servedURL()?.origin
            await installation.close()
            return url
        }
        #expect(try await served() == "http://127.0.0.1:8080")
        #expect(try await served("--listen", "127.0.0.1:9090") == "http://127.0.0.1:9090")
        try await serve("https://b.example")
        #expect(try await served("--listen", "127.0.0.1:9090") == "https://b.example")
    }

    @Test("A service that is alone on its ledger takes a new URL, though one that was killed is not forgotten yet")
    func killed() async throws {
        let installation = try await Installation.openToServe(configuration("https://a.example"))
        try await installation.announcePublicURL(logger)
        let address = ListenAddress(host: "127.0.0.1", port: 1)
        let killed = InstanceRecord(
            id: try #require(InstanceID("killed")), name: .unnamed, process: 1, version: "1", startedAt: .now(),
            payers: address, admin: address, publicURL: PublicURL(installation.configuration.publicURL),
            keys: KeysFingerprint(of: [SecretBytes([1])]))
        try await installation.ledger.register(killed, isAlone: true)
        try await serve("https://b.example")
        #expect(try await installation.servedURL()?.origin == "https://b.example")
        await installation.close()
    }

    @Test("A failed start leaves the addresses unchanged", arguments: [true, false])
    func failedStart(portIsTaken: Bool) async throws {
        try await serve("https://b.example")
        _ = try await AccountAdd.parse(["alice"] + arguments()).perform()
        let socket = try TakenPort()
        if !portIsTaken { chmod(temporary.path + "/data/challenge.key", 0o644) }
        let listeners = ["--listen", "127.0.0.1:0", "--admin-listen", portIsTaken ? socket.address : "127.0.0.1:0"]
        let exit = await #expect(throws: ExitCode.self) {
            try await Serve.parse(["--with-account", "bob"] + listeners + arguments("https://c.example")).run()
        }
        #expect(exit?.rawValue == (portIsTaken ? ExitStatus.unavailable : .permission).rawValue)
        chmod(temporary.path + "/data/challenge.key", 0o600)
        #expect(try await identifier() == "alice@b.example")
        #expect(try await AccountList.parse(arguments()).perform().json["accounts"]?.array?.count == 1)
    }

    @Test("A folder is served by one process at a time, and a second one is told the first one's address")
    func oneService() async throws {
        try await serve("https://b.example")
        let path = temporary.path + "/data/serve.lock"
        let lock = try ServiceLock(at: path)
        let listeners = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]
        let exit = await #expect(throws: ExitCode.self) {
            try await Serve.parse(listeners + arguments("https://b.example")).run()
        }
        #expect(exit?.rawValue == ExitStatus.unavailable.rawValue)
        lock.describe(payers: ListenAddress(host: "a", port: 1), admin: ListenAddress(host: "b", port: 2))
        let failure = #expect(throws: CommandFailure.self) { try ServiceLock(at: path) }
        #expect(failure?.reasons.first?.hasSuffix(": pid \(getpid()), payers a:1, admin b:2") == true)
        _ = consume lock
        #expect(throws: Never.self) { try ServiceLock(at: path) }
    }

    @Test("While a service runs, a command leaves the tables of its ledger alone")
    func olderService() async throws {
        _ = try await AccountAdd.parse(["alice"] + arguments()).perform()
        let folder = temporary.path + "/data"
        let database = try await Database.open(at: folder + "/ledger.sqlite")
        try await database.write { connection throws(LedgerFault) in
            // As if this version had one step more.
            _ = try connection.run(
                "DELETE FROM migration WHERE id = (SELECT max(id) FROM migration WHERE component = 'ledger')")
        }
        await database.close()
        let lock = try ServiceLock(at: folder + "/serve.lock")
        let failure = await #expect(throws: CommandFailure.self) { try await AccountList.parse(arguments()).perform() }
        #expect(failure?.reasons.first?.contains("a service of an older version runs") == true)
        withExtendedLifetime(lock) {}
    }

    @Test("A command that looks for a service at that moment does not keep one from starting")
    func momentaryLock() throws {
        let path = temporary.path + "/serve.lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_SH) == 0)
        #expect(throws: CommandFailure.self) { try ServiceLock(at: path, pause: {}) }
        #expect(throws: Never.self) { try ServiceLock(at: path, pause: { flock(descriptor, LOCK_UN) }) }
    }
}
