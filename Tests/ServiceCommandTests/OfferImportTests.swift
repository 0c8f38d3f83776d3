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
import enum ServiceSetup.ExitStatus

@Suite("Importing offers", .timeLimit(.minutes(5)))
struct OfferImportTests: OfferFixture {
    let temporary = TemporaryFolder()

    init() async throws {
        try await addAlice()
    }

    @Test("An offer made elsewhere is imported with its key, and answered by a running service")
    func importing() async throws {
        let (offer, keyFile) = try foreign()
        let parts = try await installation().serviceParts()
        let alice = try await parts.responder
            .payResponder(for: Recipient(AccountID("alice@127.0.0.1:8080")))
        let request = try request(offer)
        await #expect(throws: RequestRefusal.unknownOffer) {
            try await alice.invoice(answering: request, to: nil, issued: nil, arrival: .forwarder)
        }
        let imported = try await run(OfferImport.self, "alice", offer.text, "--key-file", keyFile)
        #expect(imported.json["origin"] == "imported")
        let kept = PrivateFile(path: folder + "/offer-keys/\(offer.id).key")
        #expect(try kept.contents(limit: 100) == PrivateFile(path: keyFile).contents(limit: 100))
        let watch = try #require(parts.features.lazy.compactMap { $0 as? AccountWatch }.first)
        try watch.noticeImports()
        let invoice = try await alice.invoice(answering: request, to: nil, issued: nil, arrival: .forwarder)
        #expect(invoice.nodeID == offer.issuerID)
        #expect(try await failure(OfferImport.self, "alice", offer.text, "--key-file", keyFile)?.status == .no)
        try await run(Check.self)
    }

    @Test("Of several concurrent imports of an offer one succeeds, and the key is kept", .timeLimit(.minutes(5)))
    func race() async throws {
        try await run(AccountAdd.self, "bob", "--description", "Pay Bob")
        for number in UInt8(10)..<20 {
            let (offer, keyFile) = try foreign(key: number, file: "\(number).key")
            let failures = try await withThrowingTaskGroup(of: CommandFailure?.self) { group in
                for name in ["alice", "bob", "alice", "bob"] {
                    group.addTask {
                        try await failure(OfferImport.self, name, offer.text, "--key-file", keyFile)
                    }
                }
                return try await group.reduce(into: []) { $0 += [$1] }
            }
            #expect(failures.contains(nil))
            let kept = PrivateFile(path: folder + "/offer-keys/\(offer.id).key")
            #expect(try kept.contents(limit: 100) == PrivateFile(path: keyFile).contents(limit: 100))
        }
    }

    @Test("An offer is not imported with the wrong key, nor when it has expired or is for another chain")
    func importRefused() async throws {
        let (offer, _) = try foreign()
        let (_, otherKey) = try foreign(key: 8, file: "other.key")
        let failed = try await failure(OfferImport.self, "alice", offer.text, "--key-file", otherKey)
        #expect(failed == CommandFailure(.data, "the key is not the offer's issuer key"))
        for change in [{ $0.chains = nil }, { $0.absoluteExpiry = UnixTime(1) }] as [(inout OfferFields) -> Void] {
            var fields = offer.fields
            change(&fields)
            let keyFile = temporary.path + "/issuer.key"
            let text = try Offer(fields).text
            #expect(try await failure(OfferImport.self, "alice", text, "--key-file", keyFile)?.status == .usage)
        }
        #expect(((try? PrivateFolder(path: folder + "/offer-keys").names()) ?? []).isEmpty)
        #expect(try await run(OfferList.self).json["offers"] == [])
    }

    @Test(
        "A key file that is missing, open to others or malformed is refused",
        arguments: [ExitStatus.noInput, .permission, .data])
    func keyFile(status: ExitStatus) async throws {
        let (offer, keyFile) = try foreign()
        let junk = temporary.path + "/junk"
        try PrivateFile(path: junk).create("words\n".utf8)
        let path: String
        switch status {
        case .noInput: path = temporary.path + "/none"
        case .permission:
            path = keyFile
            FileModes.set(0o644, on: path)
        default: path = junk
        }
        #expect(try await failure(OfferImport.self, "alice", offer.text, "--key-file", path)?.status == status)
    }

    @Test("An imported key open to others stops the service and is named")
    func openImportedKey() async throws {
        let (offer, keyFile) = try foreign()
        try await run(OfferImport.self, "alice", offer.text, "--key-file", keyFile)
        FileModes.set(0o604, on: folder + "/offer-keys/\(offer.id).key")
        let failure = await #expect(throws: CommandFailure.self) { try await installation().serviceParts() }
        #expect(failure?.status == .permission)
        // What offers there are can still be seen.
        #expect(try await self.failure(OfferList.self) == nil)
    }
}
