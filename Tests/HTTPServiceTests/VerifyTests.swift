import Bolt11
import EmbeddedNode
import HTTPService
import HTTPTypes
import LedgerContract
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing

@Suite("Whether an invoice was paid (LUD-21)", .timeLimit(.minutes(5)))
struct VerifyTests {
    @Test("Before the payment there is no preimage; afterwards there is, permanently")
    func settlement() async throws {
        let service = try await TestService()
        let invoice = try Bolt11Invoice(try await service.invoice()["pr"]?.string ?? "")
        let path = "/lnurlpay/alice/\(invoice.paymentHash)"
        let open = try await service.ask(path)
        #expect(open.body == #"{"status":"OK","settled":false,"preimage":null,"pr":"\#(invoice.text)"}"#)
        #expect(open.headers[.cacheControl] == "no-store")
        try await service.settle(invoice.paymentHash)
        let settled = try await service.ask(path)
        let json = try settled.json()
        #expect(json["settled"] == true)
        #expect(try Preimage(hexadecimal: json["preimage"]?.string ?? "").paymentHash == invoice.paymentHash)
        #expect(settled.headers[.cacheControl] == "max-age=31536000, immutable")
    }

    @Test("A deleted unpaid invoice is answered like one that never existed")
    func forgotten() async throws {
        let service = try await TestService()
        let invoice = try Bolt11Invoice(try await service.invoice()["pr"]?.string ?? "")
        let path = "/lnurlpay/alice/\(invoice.paymentHash)"
        #expect(try await service.ask(path).json()["settled"] == false)
        service.clock.advance(seconds: 100 * 86_400)
        let removal = ExpiredInvoiceRemoval(
            ledger: service.ledger, backends: [.embedded: service.node], grace: service.settings.keepExpired)
        #expect(try await removal.round(at: service.clock.now, under: service.ledger.held(.upkeep)) == 1)
        let answer = try await service.ask(path)
        let unknown = try await service.ask("/lnurlpay/alice/" + String(repeating: "a", count: 64))
        #expect(answer.reason == "Not found")
        #expect(answer.body == unknown.body && answer.status == unknown.status && answer.headers == unknown.headers)
    }

    @Test("The hash may be written in upper case")
    func upperCase() async throws {
        let service = try await TestService()
        let invoice = try Bolt11Invoice(try await service.invoice()["pr"]?.string ?? "")
        let answer = try await service.ask("/lnurlpay/alice/\(invoice.paymentHash.hexadecimal.uppercased())")
        #expect(try answer.json()["settled"] == false)
    }

    @Test("Another account's invoice is not found, nor are the node's own invoices")
    func foreign() async throws {
        let service = try await TestService()
        try await service.put("bob", AccountSettings(description: "Bob", backend: .embedded))
        let invoice = try Bolt11Invoice(try await service.invoice()["pr"]?.string ?? "")
        #expect(try await service.ask("/lnurlpay/bob/\(invoice.paymentHash)").reason == "Not found")
        let order = InvoiceOrder(amount: Millisatoshi(1), description: .text("x"), expiry: 600, label: "l")
        let own = try await service.node.createInvoice(order)
        #expect(try await service.ask("/lnurlpay/alice/\(own.paymentHash)").reason == "Not found")
    }

    @Test(
        "A malformed payment hash is not found",
        arguments: [
            String(repeating: "a", count: 63), String(repeating: "a", count: 65), String(repeating: "a", count: 64),
            String(repeating: "g", count: 64), "recover",
        ]
    )
    func malformed(hash: String) async throws {
        let answer = try await TestService().ask("/lnurlpay/alice/" + hash)
        #expect(answer.status == 200)
        #expect(answer.reason == "Not found")
    }
}
