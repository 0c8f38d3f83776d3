import Installing
import AddressService
import ArgumentParser
import BlindedPaths
import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
import PrivateFiles
import Receiving
import Responding
import SQLiteLedger
import TemporaryFolders
import Testing

@testable import ResponderCommand

@Suite("Commands for offers")
struct OfferCommandTests {
    private static let introduction = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"

    private let temporary = TemporaryFolder()
    private var folder: String { temporary.path + "/data" }
    private var data: [String] { ["--data-directory", folder] }

    init() async throws {
        _ = try await run(AccountAdd.self, "alice", "--description", "Pay Alice")
    }

    @discardableResult
    private func run<Command: ReportingCommand>(_: Command.Type, _ arguments: String...) async throws -> CommandResult {
        try await Command.parse(arguments + data).perform()
    }

    private func failure<Command: ReportingCommand>(
        _: Command.Type, _ arguments: String...
    ) async throws -> CommandFailure? {
        do {
            _ = try await Command.parse(arguments + data).perform()
            return nil
        } catch let failure as CommandFailure {
            return failure
        }
    }

    private func installation() async throws -> Installation {
        try await Installation.open(SettingOptions.parse(data).configuration())
    }

    /// An offer of another issuer, whose key lies in a file.
    private func foreign(key: UInt8 = 7, file: String = "issuer.key") throws -> (offer: Offer, keyFile: String) {
        let key = try SecretKey([UInt8](repeating: key, count: 32))
        var fields = OfferFields()
        fields.chains = [ChainHash(.regtest)]
        fields.description = "Made elsewhere"
        fields.amount = 5_000
        fields.issuerID = key.publicKey
        let path = temporary.path + "/" + file
        try PrivateFile(path: path).create(SecretKeyText.bytes(of: key))
        return (try Offer(fields), path)
    }

    private func request(_ offer: Offer, _ metadata: UInt8 = 1) throws -> [UInt8] {
        let draft = InvoiceRequestDraft(
            for: offer, metadata: [UInt8](repeating: metadata, count: 16), chain: ChainHash(.regtest))
        return try draft.signed(by: SecretKey([UInt8](repeating: 3, count: 32)), auxiliaryRandom: nil).stream.bytes
    }

    @Test("An offer is created with all that it can say, listed, shown and disabled")
    func life() async throws {
        let made = try await run(
            OfferCreate.self, "Alice", "--amount", "21sat", "--description", "Tea", "--quantity-max", "3",
            "--expires", "24h", "--issuer", "alice@example.com", "--single-use"
        )
        let offer = try Offer(made.json["offer"]?.string ?? "")
        #expect(offer.amount == 21_000)
        #expect(offer.description == "Tea")
        #expect(offer.quantityMax == 3)
        #expect(offer.issuer == "alice@example.com")
        #expect(offer.paths == nil)
        let end = try #require(offer.absoluteExpiry)
        #expect((86_390...86_400).contains(end.seconds(since: .now())))
        #expect(made.json["maximumPayments"]?.uint64 == 1)
        #expect(made.json["state"] == "open")
        #expect(made.text.hasPrefix(offer.text + "\n"))

        #expect(try await run(OfferShow.self, offer.id.hexadecimal).json == made.json)
        #expect(try await run(OfferShow.self, offer.text.uppercased()).json == made.json)
        try await run(AccountAdd.self, "bob")
        let second = try await run(OfferCreate.self, "bob")
        let list = try await run(OfferList.self)
        #expect(list.json["offers"] == [second.json, made.json])
        #expect(list.text.split(separator: "\n").count == 2)
        #expect(try await run(OfferList.self, "--account", "alice").json["offers"] == [made.json])
        let disabled = try await run(OfferDisable.self, offer.id.hexadecimal)
        #expect(disabled.json["state"] == "disabled")
        #expect(disabled.text.contains("by no way"))
        #expect(try await failure(OfferShow.self, String(repeating: "0", count: 64))?.status == .no)
        #expect(try await failure(OfferDisable.self, String(repeating: "0", count: 64))?.status == .no)
        #expect(try await failure(OfferShow.self, "lno1")?.status == .usage)
    }

    @Test("An offer without flags says what the account says, for any amount")
    func plain() async throws {
        let offer = try Offer(try await run(OfferCreate.self, "alice").json["offer"]?.string ?? "")
        #expect(offer.description == "Pay Alice")
        #expect(offer.amount == nil)
        #expect(offer.absoluteExpiry == nil)
        #expect(offer.issuerID != nil)
    }

    @Test("It says by which ways the offer can be reached: the webhook that the account shows, and no other yet")
    func reach() async throws {
        let webhook = try #require(try await run(AccountShow.self, "alice").json["webhook"]?.string)
        let plain = try await run(OfferCreate.self, "alice")
        #expect(
            plain.json["reach"] == [
                "forwarder": ["now": true, "webhook": .string(webhook), "overLightning": false],
                "node": ["now": false], "peer": ["now": false, "introductions": []],
            ])
        #expect(plain.text.contains("by a forwarder that posts requests to \(webhook)"))
        #expect(plain.text.contains("not by the node's own BOLT12"))
        #expect(plain.text.contains("not by a Lightning peer of our own"))
        let introduced = try await run(OfferCreate.self, "alice", "--introduction", Self.introduction)
        #expect(introduced.json["reach"]?["forwarder"]?["overLightning"] == true)
        #expect(introduced.json["issuerID"]?.string != nil)
        let pathOnly = try await run(
            OfferCreate.self, "alice", "--introduction", Self.introduction, "--no-issuer-id")
        #expect(pathOnly.json["issuerID"] == .null)
        #expect(pathOnly.json["paths"]?.uint64 == 1)
        let twice = try await run(
            OfferCreate.self, "alice", "--introduction", Self.introduction, "--introduction",
            Self.introduction.replacing("0279", with: "0379"))
        #expect(twice.json["paths"]?.uint64 == 2)
    }

    @Test("With peers configured, the offer's paths begin at them; while no service runs, it is reachable through none")
    func peers() async throws {
        let second = "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
        let peers = "\(Self.introduction)@127.0.0.1:9,\(second)@peer.example"
        let made = try await run(OfferCreate.self, "alice", "--onion-peer-connect", peers)
        let offer = try Offer(try #require(made.json["offer"]?.string))
        #expect(
            offer.paths?.map(\.introductionNode) == [
                .node(try PublicKey(hexadecimal: Self.introduction)), .node(try PublicKey(hexadecimal: second)),
            ])
        #expect(made.json["reach"]?["peer"]?["now"] == false)
        #expect(made.text.contains("not by a Lightning peer of our own: none is configured, or none runs"))
        let twice = try await run(
            OfferCreate.self, "alice", "--no-issuer-id", "--onion-peer-connect",
            "\(second)@127.0.0.1:9,\(second)@127.0.0.2:9")
        #expect(twice.json["paths"]?.uint64 == 1)
        #expect(twice.json["issuerID"] == .null)
    }

    @Test("Where no service runs, peers cannot be shown")
    func peersWithoutService() async throws {
        #expect(try await failure(Peers.self)?.status == .unavailable)
    }

    @Test("A code to scan is added when it is asked for")
    func code() async throws {
        let plain = try await run(OfferCreate.self, "alice")
        #expect(plain.json["qr"] == nil)
        let scanned = try await run(OfferCreate.self, "alice", "--qr")
        #expect(scanned.json["qr"]?.string?.contains("█") == true)
        #expect(scanned.text.hasPrefix(scanned.json["qr"]?.string ?? "-"))
    }

    @Test(
        "What no offer can say is a wrong command line",
        arguments: [
            ["alice", "--amount", "21"], ["alice", "--expires", "soon"], ["alice", "--expires", "0s"],
            ["alice", "--expires", "99999999999d"], ["alice", "--introduction", "02"], ["alice", "--no-issuer-id"],
            ["alice", "--amount", "0sat"], ["al ice"],
        ]
    )
    func badTerms(arguments: [String]) async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await OfferCreate.parse(arguments + data).perform()
        }
        #expect(failure?.status == .usage)
    }

    @Test("An account that is not there has no offers")
    func noAccount() async throws {
        #expect(try await failure(OfferCreate.self, "carol")?.status == .no)
        let (offer, keyFile) = try foreign()
        #expect(try await failure(OfferImport.self, "carol", offer.text, "--key-file", keyFile)?.status == .no)
    }

    @Test("An offer made elsewhere is imported with its key, and answered by a service that runs already")
    func importing() async throws {
        let (offer, keyFile) = try foreign()
        let parts = try await installation().serviceParts()
        let alice = try AddressName("alice")
        let request = try request(offer)
        await #expect(throws: RequestRefusal.unknownOffer) {
            try await parts.responder.invoice(answering: request, for: alice, arrival: .forwarder)
        }
        let imported = try await run(OfferImport.self, "alice", offer.text, "--key-file", keyFile)
        #expect(imported.json["origin"] == "imported")
        let kept = PrivateFile(path: folder + "/offer-keys/\(offer.id).key")
        #expect(try kept.contents(limit: 100) == PrivateFile(path: keyFile).contents(limit: 100))
        try parts.noticeImports()
        let invoice = try await parts.responder.invoice(answering: request, for: alice, arrival: .forwarder)
        #expect(invoice.nodeID == offer.issuerID)
        #expect(try await failure(OfferImport.self, "alice", offer.text, "--key-file", keyFile)?.status == .no)
        try await run(Check.self)
    }

    @Test("An offer is not imported with another key, nor one that has expired or is for another chain")
    func importRefused() async throws {
        let (offer, _) = try foreign()
        let (_, otherKey) = try foreign(key: 8, file: "other.key")
        let failed = try await failure(OfferImport.self, "alice", offer.text, "--key-file", otherKey)
        #expect(failed == CommandFailure(.data, "the key is not that of the offer's issuer"))
        for change in [{ $0.chains = nil }, { $0.absoluteExpiry = UnixTime(1) }] as [(inout OfferFields) -> Void] {
            var fields = offer.fields
            change(&fields)
            let keyFile = temporary.path + "/issuer.key"
            let text = try Offer(fields).text
            #expect(try await failure(OfferImport.self, "alice", text, "--key-file", keyFile)?.status == .usage)
        }
        #expect(try PrivateFolder(path: folder + "/offer-keys").names().isEmpty)
        #expect(try await run(OfferList.self).json["offers"] == [])
    }

    @Test(
        "A key file that is missing, open to others or no key is refused",
        arguments: [Installing.ExitStatus.noInput, .permission, .data])
    func keyFile(status: Installing.ExitStatus) async throws {
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

    @Test(
        "A key of offers that others may open stops what would use it",
        arguments: ["offer-seed.key", "responder.key", "webhook.key"])
    func openKey(name: String) async throws {
        try await run(OfferCreate.self, "alice")
        FileModes.set(0o640, on: folder + "/" + name)
        let failed = try await failure(OfferCreate.self, "alice")
        #expect(failed?.status == .permission)
        #expect(failed?.reasons.first?.contains("\(name): others may open it (mode 640)") == true)
    }

    @Test("An imported key that others may open stops the service and is named")
    func openImportedKey() async throws {
        let (offer, keyFile) = try foreign()
        try await run(OfferImport.self, "alice", offer.text, "--key-file", keyFile)
        FileModes.set(0o604, on: folder + "/offer-keys/\(offer.id).key")
        let failure = await #expect(throws: CommandFailure.self) { try await installation().serviceParts() }
        #expect(failure?.status == .permission)
    }

    @Test("An offer whose key is gone is found by check")
    func goneKey() async throws {
        let made = try await run(OfferCreate.self, "alice")
        try await run(Check.self)
        let seed = PrivateFile(path: folder + "/offer-seed.key")
        seed.remove()
        let missing = try await failure(Check.self)
        #expect(missing == CommandFailure(.data, "\(seed.path): the key is missing"))
        try seed.create([UInt8](repeating: 7, count: 32))
        let id = made.json["id"]?.string ?? ""
        #expect(try await failure(Check.self) == CommandFailure(.data, "the key of offer \(id) is gone"))
    }

    @Test("A seed that is lost is not made anew while there are offers that were made from it")
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

    @Test("A backup takes seed, own key and imported keys along: the restored folder answers for every offer")
    func backup() async throws {
        let (offer, keyFile) = try foreign()
        try await run(OfferImport.self, "alice", offer.text, "--key-file", keyFile)
        let own = try Offer(
            try await run(OfferCreate.self, "alice", "--amount", "7sat", "--introduction", Self.introduction).json[
                "offer"]?
                .string ?? "")
        let archive = temporary.path + "/backup.tar"
        let made = try await run(Backup.self, archive)
        let names = made.json["files"]?.array?.compactMap(\.string) ?? []
        #expect(names.suffix(1) == ["offer-keys/\(offer.id).key"])
        #expect(Set(names).isSuperset(of: ["offer-seed.key", "responder.key", "webhook.key"]))

        let there = ["--data-directory", temporary.path + "/restored"]
        _ = try await Restore.parse([archive] + there).perform()
        let restored = try await Installation.open(SettingOptions.parse(there).configuration())
        let responder = try await restored.serviceParts().responder
        for offer in [offer, own] {
            let invoice = try await responder.invoice(
                answering: request(offer), for: AddressName("alice"), arrival: .forwarder)
            #expect(invoice.nodeID == offer.issuerID)
        }
        _ = try await Check.parse(there).perform()
    }

    @Test("A restore that breaks off leaves nothing behind, folders neither")
    func brokenRestore() async throws {
        let (offer, keyFile) = try foreign()
        try await run(OfferImport.self, "alice", offer.text, "--key-file", keyFile)
        let archive = temporary.path + "/backup.tar"
        try await run(Backup.self, archive)
        let bytes = try PrivateFile(path: archive).contents(limit: 1 << 22)
        let broken = temporary.path + "/broken.tar"
        try PrivateFile(path: broken).create(bytes.dropLast(2_048))
        let there = ["--data-directory", temporary.path + "/restored"]
        await #expect(throws: CommandFailure.self) { try await Restore.parse([broken] + there).perform() }
        #expect(!temporary.names.contains { $0.hasPrefix("restored") })
    }

    @Test("An invoice for an offer is listed with what the payer said, and settles like every other")
    func settle() async throws {
        let offer = try Offer(try await run(OfferCreate.self, "alice", "--amount", "21sat").json["offer"]?.string ?? "")
        let responder = try await installation().serviceParts().responder
        var draft = InvoiceRequestDraft(
            for: offer, metadata: [UInt8](repeating: 1, count: 16), chain: ChainHash(.regtest))
        draft.payerNote = "hi"
        draft.bip353Name = try BIP353Name("alice@example.com")
        let request = try draft.signed(by: SecretKey([UInt8](repeating: 3, count: 32)), auxiliaryRandom: nil)
        let invoice = try await responder.invoice(
            answering: request.stream.bytes, for: AddressName("alice"), arrival: .forwarder)
        let list = try await run(Invoices.self)
        let listed = try #require(list.json["invoices"]?.array?.first)
        #expect(listed["origin"] == "bolt12")
        #expect(listed["bolt12"]?.string == invoice.text)
        #expect(listed["payerNote"] == "hi")
        #expect(listed["payeeName"] == "alice@example.com")
        #expect(list.text.contains("BOLT12  “hi”  for alice@example.com"))
        let settled = try await run(Settle.self, invoice.paymentHash.hexadecimal)
        #expect(settled.json["state"] == "settled")
        #expect(settled.json["offerID"]?.string == offer.id.hexadecimal)
    }
}
