import ArgumentParser
import LightningCoding
import Logging
import ServiceSetup
import Settings
import TemporaryFolders
import Testing

@testable import ServiceCommand

@Suite("Commands for domains", .timeLimit(.minutes(4)))
struct DomainCommandTests: CommandFixture {
    let temporary = TemporaryFolder()

    @Test("A domain is added, listed, shown, changed and removed")
    func domains() async throws {
        let added = try await run(
            DomainAdd.self, "Example.org.", "--aliases", "www.example.org,pay.example.org", "--min", "5sat",
            "--reserved",
            "admin,root", "--description", "Tip {address}")
        #expect(added.json["name"] == "example.org" && added.json["publicURL"] == "https://example.org")
        #expect(added.json["main"] == false && added.json["minSendable"] == 5_000)
        #expect(added.json["aliases"] == ["www.example.org", "pay.example.org"])
        #expect(try await failure(DomainAdd.self, "example.org")?.status == .no)
        let listed = try await run(DomainList.self)
        #expect(listed.text == "127.0.0.1:8080  http://127.0.0.1:8080  main\nexample.org  https://example.org\n")
        let changed = try await run(
            DomainSet.self, "example.org", "--public-url", "https://example.org:443", "--aliases", "none", "--min",
            "none")
        #expect(changed.json["aliases"] == nil && changed.json["minSendable"] == nil)
        #expect(changed.json["reserved"] == ["admin", "root"])
        #expect(try await run(DomainShow.self, "example.org").json == changed.json)
        let account = try await run(AccountAdd.self, "alice@example.org")
        #expect(account.json["description"] == "Tip alice@example.org")
        #expect(account.json["domain"] == "example.org")
        #expect(try await failure(DomainRemove.self, "example.org")?.status == .no)
        _ = try await run(AccountRemove.self, "alice@example.org")
        #expect(try await run(DomainRemove.self, "example.org").json == ["removed": "example.org"])
        #expect(try await failure(DomainShow.self, "example.org")?.status == .no)
    }

    @Test("Reserved names, and nodes that the domain does not allow, are refused")
    func rules() async throws {
        _ = try await run(DomainAdd.self, "example.org", "--reserved", "admin")
        #expect(
            try await failure(AccountAdd.self, "admin@example.org")?.reasons == [
                "admin is a reserved name of example.org"
            ])
        #expect(try await run(AccountAdd.self, "admin").json["name"] == "admin")
        #expect(try await failure(DomainSet.self, "example.org", "--backends", "none,x")?.status == .usage)
        #expect(try await failure(AccountAdd.self, "alice@example.net")?.status == .no)
    }

    @Test(
        "A malformed domain or flag is a usage error",
        arguments: [
            ["exa mple.org"], ["example.org", "--public-url", "https://other.example"],
            ["example.org", "--public-url", "https://example.org/?a"],
            ["example.org", "--public-url", "http://example.org"],
            ["example.org", "--aliases", "*.example.org"], ["*.example.org", "--aliases", "example.org"],
            ["example.org", "--min", "2sat", "--max", "1sat"], ["example.org", "--reserved", "a b"],
        ])
    func usage(arguments: [String]) async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await DomainAdd.parse(arguments + data).perform()
        }
        #expect(failure?.status == .usage)
    }

    @Test("The service takes over the domains of the file, and leaves others as they are")
    func file() async throws {
        _ = try await run(DomainAdd.self, "example.net")
        let text = """
            domains:
              example.org: {public-url: 'https://example.org', reserved: [admin], min-sendable: 5sat}
              '*.example.com': {}
              127.0.0.1:8080: {description: 'For {address}'}
            """
        try writeFile(text.utf8, to: temporary.path + "/config.yaml")
        let arguments = ["--config", temporary.path + "/config.yaml", "--data-directory", temporary.path + "/data"]
        let installation = try await Installation.openToServe(SettingOptions.parse(arguments).configuration())
        try await installation.announcePublicURL(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        await installation.close()
        let listed = try await run(DomainList.self).json["domains"]?.array
        #expect(listed?.map { $0["name"] } == ["*.example.com", "127.0.0.1:8080", "example.net", "example.org"])
        #expect(listed?.last?["minSendable"] == 5_000)
        #expect(try await run(AccountAdd.self, "bob").json["description"] == "For bob@127.0.0.1:8080")
    }
}
