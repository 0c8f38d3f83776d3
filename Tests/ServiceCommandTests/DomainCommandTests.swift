import ArgumentParser
import ServiceSetup
import LightningCoding
import Logging
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite("Commands for domains", .timeLimit(.minutes(5)))
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

    @Test("An onion service is an alias of an onion service, which may have others, and the reason is given")
    func onions() async throws {
        let added = try await run(
            DomainAdd.self, "pay.onion", "--public-url", "http://pay.onion", "--aliases", "tip.onion,backend")
        #expect(added.json["aliases"] == ["tip.onion", "backend"])
        #expect(
            try await failure(DomainAdd.self, "example.org", "--aliases", "other.onion")?.reasons.first
                == "other.onion cannot be an alias here: whoever pays over Tor would be sent on to a host outside of it; add it as a domain of its own"
        )
        #expect(
            try await run(DomainAdd.self, "example.org", "--aliases", "onion.example.org").json["name"] == "example.org"
        )
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
            ["example.org", "--aliases", "pay.onion"], ["example.org", "--aliases", "pay.onion:8080"],
            ["*.example.org", "--aliases", "*.pay.onion"],
            ["example.org", "--min", "2sat", "--max", "1sat"], ["example.org", "--reserved", "a b"],
        ])
    func usage(arguments: [String]) async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await DomainAdd.parse(arguments + data).perform()
        }
        #expect(failure?.status == .usage)
    }

    /// Starts a service with this file.
    private func serve(_ text: String) async throws {
        try writeFile(text.utf8, to: temporary.path + "/config.yaml")
        let arguments = ["--config", temporary.path + "/config.yaml", "--data-directory", temporary.path + "/data"]
        let installation = try await Installation.openToServe(SettingOptions.parse(arguments).configuration())
        do {
            try await installation.announcePublicURL(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            await installation.close()
        } catch {
            await installation.close()
            throw error
        }
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
        try await serve(text)
        let listed = try await run(DomainList.self).json["domains"]?.array
        #expect(listed?.map { $0["name"] } == ["*.example.com", "127.0.0.1:8080", "example.net", "example.org"])
        #expect(listed?.last?["minSendable"] == 5_000)
        #expect(try await run(AccountAdd.self, "bob").json["description"] == "For bob@127.0.0.1:8080")
    }

    @Test(
        "An alias moves from one domain of the file to another, and the former name of the main one to a domain of its own"
    )
    func movedAlias() async throws {
        try await serve(
            """
            public-url: https://example.com
            domains:
              example.net: {}
              example.org: {aliases: [www.example.org]}
            """)
        try await serve(
            """
            public-url: https://www.example.org
            domains:
              example.com: {}
              example.net: {aliases: [pay.example]}
              example.org: {}
            """)
        try await serve(
            """
            public-url: https://www.example.org
            domains:
              example.net: {}
              example.org: {aliases: [pay.example]}
            """)
        let listed = try await run(DomainList.self).json["domains"]?.array
        #expect(listed?.map { $0["name"] } == ["example.com", "example.net", "example.org", "www.example.org"])
        #expect(listed?.map { $0["aliases"] } == [nil, nil, ["pay.example"], nil])
        #expect(listed?.last?["main"] == true)
    }

    @Test("A file whose domains do not fit together changes nothing, nor does the public URL")
    func wholeFile() async throws {
        try await serve("public-url: https://example.com")
        let before = try await run(DomainList.self).text
        for domains in ["{a.example: {}, b.example: {aliases: [a.example]}}", "{a.example: {aliases: [pay.example]}}"] {
            let failure = await #expect(throws: CommandFailure.self) {
                try await serve("public-url: https://pay.example\ndomains: \(domains)")
            }
            #expect(failure?.status == .configuration)
        }
        #expect(try await run(DomainList.self).text == before)
    }
}
