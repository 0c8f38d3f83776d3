import ArgumentParser
import Glibc
import ServiceSetup
import LNURL
import LightningCoding
import Logging
import Platform
import PostgreSQLCluster
import ResponderCore
import ResponderModel
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite(
    "A ledger on a PostgreSQL server, by command", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct LedgerCommandTests: CommandFixture {
    let temporary = TemporaryFolder()

    /// An empty database.
    private func url() async throws -> String {
        let cluster = try await PostgreSQLCluster.shared()
        return cluster.url(try await cluster.makeDatabase())
    }

    /// Opens a ledger to serve, with a public URL if there is one.
    private func open(_ ledger: String, at publicURL: String? = nil) async throws -> Installation {
        let words = ["--ledger-url", ledger] + (publicURL.map { ["--public-url", $0] } ?? [])
        return try await Installation.openToServe(SettingOptions.parse(data + words).configuration())
    }

    @Test("The first command makes the data folder, which holds the keys though the ledger is elsewhere")
    func dataFolder() async throws {
        let url = try await url()
        try await run(LedgerMigrate.self, "--ledger-url", url)
        #expect(!PrivateFile(path: folder).exists)
        try await run(AccountAdd.self, "alice", "--ledger-url", url)
        #expect(PrivateFile(path: folder + "/challenge.key").exists)
    }

    @Test("Root leaves no key in the data folder of another user", .enabled(if: geteuid() == 0, "only root could"))
    func otherOwner() async throws {
        let url = try await url()
        try await run(LedgerMigrate.self, "--ledger-url", url)
        try PrivateFolder(path: folder).create()
        chown(folder, 65_534, 65_534)
        let failure = try await failure(AccountAdd.self, "alice", "--ledger-url", url)
        #expect(failure?.status == .permission && failure?.text.contains("sudo -u") == true)
        #expect(try PrivateFolder(path: folder).names() == [])
    }

    @Test("Tables are made by `ledger migrate` only; until then every command says so")
    func migrating() async throws {
        try await run(AccountAdd.self, "alice")
        let url = try await url()
        for failure in [
            try await failure(AccountList.self, "--ledger-url", url),
            try await failure(LedgerStatus.self, "--ledger-url", url),
        ] {
            #expect(failure?.status == .data)
            #expect(failure?.reasons.first?.contains("ledger migrate") == true)
        }
        let made = try await run(LedgerMigrate.self, "--ledger-url", url).json["done"]?.array?.count ?? 0
        #expect(made > 0)
        #expect(try await run(LedgerMigrate.self, "--ledger-url", url).json["done"]?.array == [])
        let status = try await run(LedgerStatus.self, "--ledger-url", url).json
        #expect(status["applied"]?.array?.count == made && status["oldestProgram"] == 0 && status["advice"] == .null)
        #expect(status["applied"]?.array?.map { $0["name"] } == status["known"]?.array)
        let text = try await run(LedgerStatus.self, "--ledger-url", url).text
        #expect(text.hasPrefix("Ready: \(made) steps, of which this version knows \(made).\n  tables: expanded\n"))
        #expect(text.hasSuffix("Every version can use these tables.\n"))
        #expect(try await run(AccountList.self, "--ledger-url", url).json["accounts"]?.array == [])
        // Of several hosts one may take over.
        let cluster = try await PostgreSQLCluster.shared()
        let name = url.dropFirst("postgresql:///".count).prefix { $0 != "?" }
        let host = "127.0.0.1:\(cluster.port)"
        let several = try await run(
            LedgerStatus.self, "--ledger-url", "postgresql://postgres@\(host),\(host)/\(name)?sslmode=disable")
        #expect(several.json["advice"]?.string?.hasPrefix("set synchronous_standby_names") == true)
        // A file needs no such step.
        #expect(try await run(LedgerMigrate.self).json["done"]?.array == [])
        #expect(try await run(LedgerStatus.self).text.hasPrefix("Ready"))
    }

    @Test("Without a URL an instance gives out the one of the others; another one is refused while they run")
    func publicURL() async throws {
        let url = try await url()
        try await run(LedgerMigrate.self, "--ledger-url", url)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let first = try await open(url, at: "https://a.example")
        let instance = try first.instance(logger)
        try await instance.register()
        try await first.announcePublicURL(logger)
        let second = try await open(url)
        #expect(second.configuration.publicURL.origin == "https://a.example")
        await second.close()
        let failure = await #expect(throws: CommandFailure.self) {
            try await open(url, at: "https://b.example")
        }
        #expect(failure?.status == .configuration)
        #expect(failure?.reasons.first?.contains(instance.id.text) == true)
        await instance.leave()
        let third = try await open(url, at: "https://b.example")
        try await third.announcePublicURL(logger)
        #expect(try await third.ledger.mainDomain()?.name.text == "b.example")
        await third.close()
        await first.close()
    }

    @Test("Instances that start at once with the same new public URL all start, whoever of them gives it out first")
    func sameURLAtOnce() async throws {
        let url = try await url()
        try await run(LedgerMigrate.self, "--ledger-url", url)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let former = try await open(url, at: "https://a.example")
        try await former.announcePublicURL(logger)
        await former.close()
        var installations = [try await open(url, at: "https://b.example")]
        try await installations[0].instance(logger).register()
        installations.append(try await open(url, at: "https://b.example"))
        try await installations[0].announcePublicURL(logger)
        installations.append(try await open(url, at: "https://b.example"))
        for installation in installations { try await installation.announcePublicURL(logger) }
        #expect(try await installations[0].ledger.mainDomain()?.name.text == "b.example")
        for installation in installations { await installation.close() }
    }

    @Test("Instances that change the public URL at the same moment all start, each time")
    func changesAtOnce() async throws {
        let url = try await url()
        try await run(LedgerMigrate.self, "--ledger-url", url)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        for round in 0..<12 {
            var installations: [Installation] = []
            for _ in 0..<3 {
                installations.append(try await open(url, at: "https://\(round).example"))
            }
            try await withThrowingTaskGroup { group in
                for (index, installation) in installations.enumerated() {
                    group.addTask {
                        // Each round has another distance between the instances.
                        for _ in 0..<round * index { _ = try await installation.ledger.publicURL() }
                        try await installation.announcePublicURL(logger)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await installations[0].ledger.mainDomain()?.name.text == "\(round).example")
            for installation in installations { await installation.close() }
        }
    }

    @Test("A new public URL is refused also when an instance with the former one has started since it was chosen")
    func formerURLAtOnce() async throws {
        let url = try await url()
        try await run(LedgerMigrate.self, "--ledger-url", url)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let former = try await open(url, at: "https://a.example")
        try await former.announcePublicURL(logger)
        await former.close()
        let changing = try await open(url, at: "https://b.example")
        let keeping = try await open(url)
        try await keeping.instance(logger).register()
        let failure = await #expect(throws: CommandFailure.self) { try await changing.announcePublicURL(logger) }
        #expect(failure?.status == .configuration)
        #expect(try await keeping.ledger.mainDomain()?.name.text == "a.example")
        await changing.close()
        await keeping.close()
    }

    @Test("Of two first starts at once with different public URLs one wins, and the other is told the URL")
    func firstStarts() async throws {
        let url = try await url()
        try await run(LedgerMigrate.self, "--ledger-url", url)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var installations: [Installation] = []
        for name in ["a", "b"] { installations.append(try await open(url, at: "https://\(name).example")) }
        try await installations[0].announcePublicURL(logger)
        let failure = await #expect(throws: CommandFailure.self) {
            try await installations[1].announcePublicURL(logger)
        }
        #expect(failure?.status == .configuration)
        #expect(failure?.reasons.first?.contains("https://a.example meanwhile") == true)
        #expect(try await installations[0].ledger.domains().map(\.name.text) == ["a.example"])
        for installation in installations { await installation.close() }
    }

    @Test("A ledger is copied to a server and back, with its accounts, and each table is compared")
    func copying() async throws {
        try await run(AccountAdd.self, "alice", "--description", "Zoë")
        let url = try await url()
        try await run(LedgerMigrate.self, "--ledger-url", url)
        let there = try await run(LedgerCopying.self, "--from", folder, "--to", url).json
        #expect(try await failure(LedgerCopying.self, "--from", folder, "--to", url)?.status == .cannotCreate)
        let back = temporary.path + "/back"
        let again = try await run(LedgerCopying.self, "--from", url, "--to", back).json
        #expect(again == there)
        let shown = try await run(AccountShow.self, "alice").json
        #expect(try await run(AccountShow.self, "alice", "--ledger-url", url).json == shown)
        #expect(try await AccountList.parse(["--data-directory", back]).perform().json["accounts"]?.array?.count == 1)
    }

    @Test("Nothing is copied from or to a ledger that a service runs on, over another ledger, or onto itself")
    func refused() async throws {
        try await run(AccountAdd.self, "alice")
        let url = try await url()
        #expect(try await failure(LedgerCopying.self, "--from", folder, "--to", url)?.status == .data)
        try await run(LedgerMigrate.self, "--ledger-url", url)
        #expect(try await failure(LedgerCopying.self, "--from", folder, "--to", folder + "/")?.status == .usage)
        #expect(
            try await failure(LedgerCopying.self, "--from", temporary.path + "/none", "--to", url)?.status == .noInput)
        do {
            let lock = try ServiceLock(at: folder + "/serve.lock")
            #expect(try await failure(LedgerCopying.self, "--from", folder, "--to", url)?.status == .unavailable)
            withExtendedLifetime(lock) {}
        }
        let cluster = try await PostgreSQLCluster.shared()
        let name = url.dropFirst("postgresql:///".count).prefix { $0 != "?" }
        try await cluster.psql(
            "INSERT INTO domain (name, public_url, settings, is_main) VALUES ('x.example', 'https://x.example', '{}', 0)",
            in: String(name))
        #expect(try await failure(LedgerCopying.self, "--from", folder, "--to", url)?.status == .cannotCreate)
    }

    @Test("An instance that was killed keeps no setting from being changed once the others would forget it")
    func killed() async throws {
        let url = try await url()
        try await run(LedgerMigrate.self, "--ledger-url", url)
        let installation = try await open(url, at: "https://a.example")
        let address = ListenAddress(host: "127.0.0.1", port: 1)
        try await installation.ledger.register(
            InstanceRecord(
                id: try #require(InstanceID("other")), name: .unnamed, process: 1, version: "1", startedAt: .now(),
                payers: address, admin: address, publicURL: PublicURL(installation.configuration.publicURL),
                keys: try #require(KeysFingerprint([UInt8](repeating: 1, count: 32))), tellsSettlementsOfAll: true),
            isAlone: false)
        _ = try await installation.ledger.putMainDomain(at: installation.configuration.publicURL)
        let cluster = try await PostgreSQLCluster.shared()
        let name = String(url.dropFirst("postgresql:///".count).prefix { $0 != "?" })
        for (seconds, isRefused) in [(5, true), (20, false)] {
            try await cluster.psql(
                "UPDATE instance SET seen_at = extract(epoch FROM clock_timestamp())::bigint - \(seconds)", in: name)
            var failures: [CommandFailure?] = []
            do throws(CommandFailure) {
                try await installation.announceSettlementWebhook()
            } catch {
                failures.append(error)
            }
            do {
                let other = try await open(url, at: "https://b.example")
                await other.close()
            } catch {
                failures.append(error as? CommandFailure)
            }
            #expect(failures.count == (isRefused ? 2 : 0), "\(seconds) s")
            #expect(failures.allSatisfy { $0?.status == .configuration })
        }
        await installation.close()
    }

    @Test("An instance that was killed does not keep a ledger from being copied, and one that runs does")
    func instances() async throws {
        try await run(AccountAdd.self, "alice")
        let url = try await url()
        try await run(LedgerMigrate.self, "--ledger-url", url)
        let cluster = try await PostgreSQLCluster.shared()
        let name = String(url.dropFirst("postgresql:///".count).prefix { $0 != "?" })
        try await cluster.psql(
            """
            INSERT INTO instance VALUES ('host1-1-00000001', 'host1', 1, '1.1', 0, '127.0.0.1:8080', '[::1]:81',
                decode(repeat('00', 32), 'hex'), extract(epoch FROM clock_timestamp())::bigint)
            """, in: name)
        #expect(try await failure(LedgerCopying.self, "--from", folder, "--to", url)?.status == .unavailable)
        try await cluster.psql("UPDATE instance SET seen_at = seen_at - 3600", in: name)
        try await run(LedgerCopying.self, "--from", folder, "--to", url)
    }

    @Test("A backup of a ledger on a server is one that a data folder is restored from")
    func backup() async throws {
        try await run(AccountAdd.self, "alice")
        let url = try await url()
        try await run(LedgerMigrate.self, "--ledger-url", url)
        try await run(LedgerCopying.self, "--from", folder, "--to", url)
        let saved = temporary.path + "/saved"
        try await run(Backup.self, saved, "--ledger-url", url)
        let restored = temporary.path + "/restored"
        _ = try await Restore.parse([saved, "--data-directory", restored]).perform()
        let accounts = try await AccountList.parse(["--data-directory", restored]).perform().json["accounts"]
        #expect(accounts == (try await run(AccountList.self).json["accounts"]))
    }
}
