import ArgumentParser
import Bolt12
import HTTPService
import ServiceSetup
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite("Creating offers", .timeLimit(.minutes(5)))
struct OfferCreateTests: OfferFixture {
    let temporary = TemporaryFolder()

    init() async throws {
        try await addAlice()
    }

    @Test("An offer is created with all options, listed, shown and disabled")
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
        #expect(disabled.text.contains("not reachable"))
        #expect(try await failure(OfferShow.self, String(repeating: "0", count: 64))?.status == .no)
        #expect(try await failure(OfferDisable.self, String(repeating: "0", count: 64))?.status == .no)
        #expect(try await failure(OfferShow.self, "lno1")?.status == .usage)
    }

    @Test("An offer without flags has the account's description and any amount")
    func plain() async throws {
        let offer = try Offer(try await run(OfferCreate.self, "alice").json["offer"]?.string ?? "")
        #expect(offer.description == "Pay Alice")
        #expect(offer.amount == nil)
        #expect(offer.absoluteExpiry == nil)
        #expect(offer.issuerID != nil)
    }

    @Test("A QR code is added on request")
    func code() async throws {
        let plain = try await run(OfferCreate.self, "alice")
        #expect(plain.json["qr"] == nil)
        let scanned = try await run(OfferCreate.self, "alice", "--qr")
        #expect(scanned.json["qr"]?.string?.contains("█") == true)
        #expect(scanned.text.hasPrefix(scanned.json["qr"]?.string ?? "-"))
    }

    @Test(
        "Invalid offer options are a wrong command line",
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

    @Test("An unknown account has no offers")
    func noAccount() async throws {
        #expect(try await failure(OfferCreate.self, "carol")?.status == .no)
        let (offer, keyFile) = try foreign()
        #expect(try await failure(OfferImport.self, "carol", offer.text, "--key-file", keyFile)?.status == .no)
    }

    @Test("An invoice for an offer is listed with the payer's note, and settles like any other")
    func settle() async throws {
        let offer = try Offer(try await run(OfferCreate.self, "alice", "--amount", "21sat").json["offer"]?.string ?? "")
        let recipient = try await installation().serviceParts().responder
            .payResponder(for: Recipient(AccountID("alice@127.0.0.1:8080")))
        var draft = InvoiceRequestDraft(
            for: offer, metadata: [UInt8](repeating: 1, count: 16), chain: ChainHash(.regtest))
        draft.payerNote = "hi"
        draft.bip353Name = try BIP353Name("alice@example.com")
        let request = try draft.signed(by: SecretKey([UInt8](repeating: 3, count: 32)), auxiliaryRandom: nil)
        let invoice = try await recipient.invoice(
            answering: request.stream.bytes, to: nil, issued: nil, arrival: .forwarder)
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
