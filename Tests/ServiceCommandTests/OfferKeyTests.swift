import ArgumentParser
import Bolt12
import HTTPService
import ServiceSetup
import LightningCoding
import Platform
import ResponderCore
import ResponderModel
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite("Offer keys", .timeLimit(.minutes(5)))
struct OfferKeyTests: OfferFixture {
    let temporary = TemporaryFolder()

    init() async throws {
        try await addAlice()
    }

    @Test(
        "An offer key open to others stops what would use it",
        arguments: ["offer-seed.key", "responder.key", "webhook.key"])
    func openKey(name: String) async throws {
        try await run(OfferCreate.self, "alice")
        FileModes.set(0o640, on: folder + "/" + name)
        let failed = try await failure(OfferCreate.self, "alice")
        #expect(failed?.status == .permission)
        #expect(failed?.reasons.first?.contains("\(name): it is accessible to others (mode 640)") == true)
    }

    @Test("An offer with a missing key is reported by check")
    func goneKey() async throws {
        let made = try await run(OfferCreate.self, "alice")
        try await run(Check.self)
        let seed = PrivateFile(path: folder + "/offer-seed.key")
        seed.remove()
        let missing = try await failure(Check.self)
        #expect(missing == CommandFailure(.data, "\(seed.path): the key is missing"))
        try seed.create([UInt8](repeating: 7, count: 32))
        let id = made.json["id"]?.string ?? ""
        #expect(try await failure(Check.self) == CommandFailure(.data, "the key of offer \(id) is missing"))
    }

    @Test("A lost seed is not replaced while offers derived from it exist")
    func lostSeed() async throws {
        let seed = PrivateFile(path: folder + "/offer-seed.key")
        seed.remove()
        try await run(OfferCreate.self, "alice")
        seed.remove()
        let lost = CommandFailure(.data, "\(seed.path): the key is missing")
        #expect(try await failure(OfferCreate.self, "alice") == lost)
        await #expect(throws: lost) { try await Installation.openToServe(SettingOptions.parse(data).configuration()) }
        #expect(!seed.exists)
    }

    @Test(
        "An instance without the key of an imported offer does not start before it has the key, or the offer is disabled"
    )
    func keyOfAnotherInstance() async throws {
        let configuration = try SettingOptions.parse(data).configuration()
        let (offer, keyFile) = try foreign()
        try await run(OfferImport.self, "alice", offer.text, "--key-file", keyFile)
        await (try Installation.openToServe(configuration)).close()
        let key = PrivateFile(path: folder + "/offer-keys/\(offer.id).key")
        let contents = try key.contents(limit: 100)
        key.remove()
        let missing = CommandFailure(
            .data,
            "\(key.path): the key of an imported offer is missing; copy it from the instance that has imported the offer, or run `lightning-responder offer disable \(offer.id)`"
        )
        await #expect(throws: missing) { try await Installation.openToServe(configuration) }
        // Commands still work.
        try await run(OfferList.self)
        try key.create(contents)
        await (try Installation.openToServe(configuration)).close()
        key.remove()
        try await run(OfferDisable.self, "\(offer.id)")
        await (try Installation.openToServe(configuration)).close()
    }

    @Test("A backup includes seed, own key and imported keys: the restored folder answers for every offer")
    func backup() async throws {
        let (offer, keyFile) = try foreign()
        try await run(OfferImport.self, "alice", offer.text, "--key-file", keyFile)
        let own = try Offer(
            try await run(OfferCreate.self, "alice", "--amount", "7sat", "--introduction", introductionNode).json[
                "offer"]?
                .string ?? "")
        let saved = temporary.path + "/backup"
        let made = try await run(Backup.self, saved)
        let names = made.json["files"]?.array?.compactMap(\.string) ?? []
        #expect(names.suffix(1) == ["offer-keys/\(offer.id).key"])
        #expect(Set(names).isSuperset(of: ["offer-seed.key", "responder.key", "webhook.key"]))

        let there = ["--data-directory", temporary.path + "/restored"]
        _ = try await Restore.parse([saved] + there).perform()
        let restored = try await Installation.open(SettingOptions.parse(there).configuration())
        let recipient = try await restored.serviceParts().responder
            .payResponder(for: Recipient(AccountID("alice@127.0.0.1:8080")))
        for offer in [offer, own] {
            let invoice = try await recipient.invoice(
                answering: request(offer), to: nil, issued: nil, arrival: .forwarder)
            #expect(invoice.nodeID == offer.issuerID)
        }
        _ = try await Check.parse(there).perform()
    }
}
