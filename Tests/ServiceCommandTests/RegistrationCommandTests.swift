import Contracts
import LNURL
import LightningCoding
import LightningCrypto
import ServiceSetup
import TemporaryFolders
import Testing

@testable import ServiceCommand

@Suite("Commands for registrations", .timeLimit(.minutes(4)))
struct RegistrationCommandTests: CommandFixture {
    let temporary = TemporaryFolder()

    private func key(_ number: UInt8) throws -> PublicKey {
        try SecretKey([UInt8](repeating: number, count: 32)).publicKey
    }

    private func register(_ name: String, _ number: UInt8) async throws {
        let installation = try await installation()
        let domain = try #require(try await installation.ledger.mainDomain())
        let order = RegistrationOrder(
            by: RegistrationID(try key(number), at: domain.name),
            .register(
                webhook: try WebhookURL("https://nds.example/notify?token=secret-\(number)"),
                name: try AddressName(name), offer: nil),
            claiming: StatementClaim(digest: SHA256.hash([number]), expiresAt: .now()))
        _ = try await installation.ledger.carryOut(order, under: RegistrationRules(), at: .now())
        await installation.close()
    }

    @Test("Registrations are listed newest first, shown by name or key, and removed; no token is printed")
    func listing() async throws {
        _ = try await run(AccountAdd.self, "operator")
        for (number, name) in ["anna", "bert", "carla"].enumerated() { try await register(name, UInt8(number + 1)) }
        let first = try await run(RegistrationList.self, "--limit", "2")
        #expect(first.json["registrations"]?.array?.compactMap { $0["name"]?.string } == ["carla", "bert"])
        #expect(first.text.contains("https://nds.example") && !first.text.contains("secret"))
        let mark = try #require(first.json["next"]?.string)
        let second = try await run(RegistrationList.self, "--limit", "2", "--after", mark)
        #expect(second.json["registrations"]?.array?.compactMap { $0["name"]?.string } == ["anna"])
        #expect(try await run(RegistrationList.self, "--domain", "elsewhere.example").json["registrations"] == [])
        let shown = try await run(RegistrationShow.self, "anna")
        #expect(shown.json["key"]?.string == (try key(1).hexadecimal) && shown.json["webhook"] == "https://nds.example")
        #expect(!shown.text.contains("secret"))
        #expect(try await run(RegistrationShow.self, try key(1).hexadecimal).json == shown.json)
        #expect(try await run(RegistrationRemove.self, "anna").text == "Removed: anna@127.0.0.1:8080\n")
        for who in ["anna", try key(1).hexadecimal] {
            #expect(try await failure(RegistrationShow.self, who)?.status == .no)
        }
    }

    @Test("A removed name is held for its owner, or free at once; a held one is no account's until it is freed")
    func holding() async throws {
        _ = try await run(AccountAdd.self, "operator")
        try await register("anna", 1)
        try await register("bert", 2)
        _ = try await run(RegistrationRemove.self, "bert", "--free")
        _ = try await run(AccountAdd.self, "bert")
        #expect(try await failure(AccountAdd.self, "anna")?.status == .no)
        _ = try await run(RegistrationRemove.self, "anna")
        #expect(try await failure(AccountAdd.self, "anna")?.status == .no)
        _ = try await run(RegistrationReserve.self, "anna", "--free")
        _ = try await run(AccountAdd.self, "anna")
    }

    @Test("Names are reserved, listed and freed; what is malformed is a usage error")
    func reserving() async throws {
        _ = try await run(AccountAdd.self, "operator")
        #expect(
            try await run(RegistrationReserve.self, "treasurer", "board").text
                == "treasurer@127.0.0.1:8080\nboard@127.0.0.1:8080\n")
        #expect(try await run(RegistrationReserve.self).json["reserved"]?.array?.count == 2)
        _ = try await run(RegistrationReserve.self, "board", "--free")
        #expect(try await run(RegistrationReserve.self).json["reserved"] == ["treasurer@127.0.0.1:8080"])
        #expect(try await failure(RegistrationReserve.self, "board", "--free")?.status == .no)
        #expect(try await failure(RegistrationReserve.self, "--free")?.status == .usage)
        #expect(try await failure(RegistrationReserve.self, "a b")?.status == .usage)
        #expect(try await failure(RegistrationList.self, "--limit", "0")?.status == .usage)
        #expect(try await failure(RegistrationList.self, "--domain", "a b")?.status == .usage)
    }
}
