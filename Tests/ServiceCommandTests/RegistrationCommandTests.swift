import ArgumentParser
import ServiceSetup
import LNURL
import LightningCoding
import LightningCrypto
import ResponderModel
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite("Commands for app users", .timeLimit(.minutes(5)))
struct RegistrationCommandTests: CommandFixture {
    let temporary = TemporaryFolder()

    /// Registers a wallet, as the service would.
    @discardableResult
    private func register(_ number: UInt8, _ name: String?, at domain: String = "127.0.0.1:8080") async throws -> String
    {
        let key = try SecretKey(Array(repeating: number, count: 32)).publicKey
        let order = RegistrationOrder(
            by: RegistrationID(key, at: try DomainName(domain)),
            .register(
                webhook: try WebhookURL("https://nds.example/notify?token=s3cret"),
                name: try name.map { try AddressName($0) }, offer: nil),
            claiming: [StatementClaim(.change, digest: SHA256.hash([number]), expiresAt: UnixTime(1))])
        _ = try await installation().ledger.carryOut(
            order, under: RegistrationRules(), at: UnixTime(1_790_000_000 + UInt64(number)))
        return key.hexadecimal
    }

    /// An installation with two domains.
    private func prepare() async throws {
        _ = try await run(AccountAdd.self, "operator")
        _ = try await run(DomainAdd.self, "example.org")
        _ = try await run(DomainAdd.self, "*.example.net")
    }

    @Test("Registrations are listed newest first, of one domain or all, page by page, without any token")
    func listing() async throws {
        try await prepare()
        #expect(try await run(RegistrationList.self).text == "There are no registrations.\n")
        let key = try await register(1, "alice")
        try await register(2, "alice", at: "example.org")
        try await register(3, "alice", at: "*.example.net")
        let nameless = try await register(4, nil, at: "example.org")
        let all = try await run(RegistrationList.self)
        #expect(!all.text.contains("s3cret") && !all.json.serialized().contains("s3cret"))
        #expect(
            all.json["registrations"]?.array?.map { $0["address"] }
                == [.null, "_@alice.example.net", "alice@example.org", "alice@127.0.0.1:8080"])
        let lines = all.text.split(separator: "\n")
        #expect(lines[0].hasPrefix("\(nameless)@example.org  \(nameless)  https://nds.example  renewed "))
        #expect(lines[3].hasPrefix("alice@127.0.0.1:8080  \(key)  https://nds.example  renewed 2026-09-21T"))
        let some = try await run(RegistrationList.self, "--domain", "example.org", "--limit", "1")
        #expect(some.json["registrations"]?.array?.count == 1)
        let next = try #require(some.json["next"]?.string ?? some.json["next"]?.int64.map { String($0) })
        let rest = try await run(RegistrationList.self, "--domain", "example.org", "--after", next)
        #expect(rest.json["registrations"]?.array?.map { $0["address"] } == ["alice@example.org"])
    }

    @Test("One registration is shown by its name or its key, in any domain")
    func showing() async throws {
        try await prepare()
        let key = try await register(1, "alice")
        let nameless = try await register(2, nil, at: "example.org")
        for text in ["alice", "ALICE", "alice@127.0.0.1:8080", key, "\(key)@127.0.0.1:8080"] {
            #expect(try await run(RegistrationShow.self, text).json["key"]?.string == key)
        }
        let shown = try await run(RegistrationShow.self, "\(nameless)@example.org")
        #expect(shown.json["name"] == .null && shown.json["domain"] == "example.org" && shown.json["forwarder"] == nil)
        let named = try await run(RegistrationShow.self, "alice")
        let forwarder = try #require(named.json["forwarder"]?.string)
        #expect(forwarder.hasPrefix("http://127.0.0.1:8080/webhook/alice/") && forwarder.utf8.count == 68)
        #expect(named.text.contains("Forwarder:    \(forwarder)\n"))
        #expect(shown.json["refreshedAt"]?.string?.hasPrefix("2026-09-21T") == true)
        #expect(shown.text.contains("Webhook:      https://nds.example (the rest is secret)\n"))
        for unknown in ["bob", nameless, "\(key)@example.org", "alice@nowhere.example"] {
            #expect(try await failure(RegistrationShow.self, unknown)?.status == .no)
        }
        for malformed in ["a b", "alice@", "\(key)@a b"] {
            #expect(try await failure(RegistrationShow.self, malformed)?.status == .usage, "\(malformed)")
        }
    }

    @Test("A removed registration is gone; its name is held for its owner, or free at once")
    func removing() async throws {
        try await prepare()
        let key = try await register(1, "alice")
        #expect(try await run(RegistrationRemove.self, "alice").text == "Removed: alice@127.0.0.1:8080\n")
        #expect(try await failure(RegistrationRemove.self, "alice")?.reasons == ["no registration alice"])
        await #expect(throws: RegistrationFault.self) { try await register(2, "alice") }
        try await register(3, "bob")
        #expect(try await run(RegistrationRemove.self, "bob", "--free").json["removed"]?["name"] == "bob")
        try await register(4, "bob")
        let nameless = try await register(5, nil, at: "example.org")
        let removed = try await run(RegistrationRemove.self, "\(nameless)@example.org")
        #expect(removed.text == "Removed: \(nameless)@example.org\n")
        #expect(key != nameless)
    }

    @Test("Reserved names are taken by nobody until they are freed, which also frees a held one")
    func reserving() async throws {
        try await prepare()
        let reserved = try await run(RegistrationReserve.self, "treasurer", "boss@example.org")
        #expect(reserved.json == ["reserved": ["treasurer@127.0.0.1:8080", "boss@example.org"]])
        let listed = try await run(RegistrationReserve.self).json["reserved"]?.array?.compactMap(\.string)
        #expect(listed?.sorted() == ["boss@example.org", "treasurer@127.0.0.1:8080"])
        await #expect(throws: RegistrationFault.self) { try await register(1, "treasurer") }
        #expect(try await run(RegistrationReserve.self, "treasurer", "--free").json["freed"]?.array?.count == 1)
        try await register(2, "treasurer")
        _ = try await run(RegistrationRemove.self, "treasurer")
        _ = try await run(RegistrationReserve.self, "treasurer", "--free")
        try await register(3, "treasurer")
        #expect(
            try await failure(RegistrationReserve.self, "nobody", "--free")?.reasons
                == ["nobody@127.0.0.1:8080 is neither reserved nor held"])
        #expect(try await failure(RegistrationReserve.self, "--free")?.status == .usage)
        #expect(try await failure(RegistrationReserve.self, "a b")?.status == .usage)
        #expect(try await failure(RegistrationReserve.self, "boss@nowhere.example")?.status == .no)
    }

    @Test("A wrong limit or domain is a usage error, and where there is no ledger there is nothing to list")
    func usage() async throws {
        #expect(try await failure(RegistrationList.self)?.status == .noInput)
        try await prepare()
        for arguments in [["--limit", "0"], ["--limit", "1001"], ["--domain", "a b"]] {
            #expect(try await failure(RegistrationList.self, arguments[0], arguments[1])?.status == .usage)
        }
    }

    @Test("The help tells what each command does, with examples")
    func help() {
        let help = RegistrationCommands.helpMessage(columns: 1_000)
        for words in ["list", "show", "remove", "reserve", "gateway.enabled", "registration remove alice --free"] {
            #expect(help.contains(words), "\(words)")
        }
        #expect(RegistrationRemove.helpMessage(columns: 1_000).contains("Release the name at once"))
    }
}
