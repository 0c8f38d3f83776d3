import LedgerContract
import LightningCoding
import LightningCrypto
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
@testable import Devices

@Suite("What an owner is told of a payment", .timeLimit(.minutes(5)))
struct PaymentMessageTests {
    private let folder = TemporaryFolder()

    private func paid(_ words: InvoiceOrigin.PayerWords) async throws -> IssuedInvoice {
        let ledger = try await LedgerDatabase.open(at: "\(folder.path)/ledger.sqlite")
        try await ledger.put("alice")
        try await ledger.record(Sample.invoice(21, words: words), using: nil)
        return try #require(try await ledger.record(Sample.settlement(21), from: .embedded))
    }

    @Test("It is the amount and the payer's comment, leads to the payment, and has the payment's id")
    func payment() async throws {
        let invoice = try await paid(InvoiceOrigin.PayerWords(metadataVersion: 1, comment: "Hi ⚡️"))
        let content = try #require(DeviceMessage.Content(of: invoice, to: Sample.node(1)))
        #expect(content.title == "You received 21005 msat")
        #expect(content.body == "“Hi ⚡️”")
        #expect(content.id.text == invoice.paymentHash.hexadecimal)
        #expect(content.link == DeviceMessage.Link(type: .payment, target: invoice.paymentHash.hexadecimal))
        #expect(content.createdAt == invoice.settlement?.settledAt)
        #expect(content.expiresAt.seconds(since: content.createdAt) == 7 * 86_400)
    }

    @Test("Without a comment it names the account, and of an unpaid invoice nothing is told")
    func plain() async throws {
        let invoice = try await paid(InvoiceOrigin.PayerWords(metadataVersion: 1))
        #expect(DeviceMessage.Content(of: invoice, to: try Sample.node(1))?.body == "To alice@example.com")
        #expect(DeviceMessage.Content(of: try Sample.invoice(1), to: try Sample.node(1)) == nil)
    }
}
