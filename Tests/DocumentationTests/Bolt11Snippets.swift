import Bolt11
import LightningCoding
import LightningCrypto
import Testing

/// The code of the article of `Bolt11`.
@Suite("The article on BOLT11 invoices", .timeLimit(.minutes(5)))
struct Bolt11Snippets {
    private let key: SecretKey
    private let now = UnixTime(1_800_000_000)

    init() throws {
        key = try SecretKey([UInt8](repeating: 1, count: 32))
    }

    private func signed() throws -> Bolt11Invoice {
        let (key, now) = (key, now)
        let preimage = try Preimage(SecretBytes([UInt8](repeating: 2, count: 32)))
        let secret = try PaymentSecret(SecretBytes([UInt8](repeating: 3, count: 32)))
        // snippet: signing an invoice
        let draft = Bolt11Draft(
            network: .regtest, amount: Millisatoshi(21_000), timestamp: now, paymentHash: preimage.paymentHash,
            paymentSecret: secret, description: .text("Tea"), expiry: 600)
        let invoice = try draft.signed(by: key)
        // end
        return invoice
    }

    @Test("A signed invoice reads back")
    func reading() throws {
        let (text, now) = (try signed().text, now)
        // snippet: reading an invoice
        let invoice = try Bolt11Invoice(text)
        let amount = invoice.amount?.formatted ?? "any amount"
        let isPayable = invoice.network == .regtest && !invoice.contents.isExpired(at: now)
        // end
        #expect(amount == "21 sat")
        #expect(isPayable)
        #expect(invoice.payee == key.publicKey)
        #expect(invoice.description == .text("Tea"))
        #expect(invoice.contents.isExpired(at: now.adding(seconds: 601)))
    }

    @Test("The README's line shows an invoice")
    func readme() throws {
        let text = try signed().text
        // snippet: README
        let invoice = try Bolt11Invoice(text)
        print(invoice.paymentHash, invoice.amount?.formatted ?? "any amount", invoice.payee)
        // end
        #expect(invoice.paymentHash == (try Preimage(SecretBytes([UInt8](repeating: 2, count: 32))).paymentHash))
    }

    // snippet: explaining a broken rule
    func explanation(of text: String) -> String {
        do throws(Bolt11Fault) {
            return "Signed by \(try Bolt11Invoice(text).payee)"
        } catch {
            return "Do not pay: \(error.reason)"
        }
    }
    // end

    @Test("A changed invoice is explained, not read")
    func explaining() throws {
        let text = try signed().text
        #expect(explanation(of: text) == "Signed by \(key.publicKey)")
        let changed = String(text.dropLast()) + (text.hasSuffix("q") ? "p" : "q")
        #expect(explanation(of: changed).hasPrefix("Do not pay: its checksum does not match"))
    }

    @Test("An invoice is read without its signature, and verified later")
    func unverified() throws {
        let text = try signed().text
        // snippet: verifying later
        let unverified = try UnverifiedBolt11Invoice(text)
        let paymentHash = unverified.paymentHash
        let invoice = try unverified.verified()
        // end
        #expect(paymentHash == invoice.paymentHash)
        #expect(invoice.payee == key.publicKey)
    }
}
