import ArgumentParser
import Bolt11
import LNURL
import LightningCoding
import LightningCrypto

/// `lnurl decode-invoice`
struct DecodeInvoice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode-invoice",
        abstract: "Read a BOLT11 invoice and check its signature.",
        discussion: """
            EXAMPLES
              lnurl decode-invoice lnbc210n1p…
              lnurl request alice@example.com 21sat --json | jq -r .pr | lnurl decode-invoice - --json
            """
    )

    @Argument(help: "The invoice, with or without \"lightning:\", or \"-\" for standard input.")
    var invoice: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.print {
            guard case .bolt11(let text) = try Target.read(invoice) else { throw ToolFault.invoice(.unknownPrefix) }
            return try Self.outcome(of: text, at: .now())
        }
    }

    static func outcome(of text: String, at now: UnixTime) throws(ToolFault) -> Outcome {
        let invoice: Bolt11Invoice
        do throws(Bolt11Fault) {
            invoice = try Bolt11Invoice(text)
        } catch {
            guard error == .missingPaymentSecret, let outline = try? Bolt11Outline(text) else { throw .invoice(error) }
            return Self.outcome(of: outline, breaking: error)
        }
        var outcome = Outcome()
        outcome.json = invoice.json(at: now)
        outcome.page.add(title: "BOLT11 invoice")
        invoice.add(to: &outcome.page, at: now)
        outcome.page.add([.passed("signature", "by the payee")])
        return outcome
    }

    /// What an invoice from before payment secrets says: it is shown, and not to be paid.
    private static func outcome(of outline: Bolt11Outline, breaking fault: Bolt11Fault) -> Outcome {
        var outcome = Outcome(status: .brokenRule)
        outcome.json = [
            "network": .string(outline.network.rawValue), "amount": .number(outline.amount?.msat),
            "timestamp": .unsigned(outline.timestamp.seconds),
        ]
        outcome.page.add(title: "BOLT11 invoice, which breaks a rule")
        outcome.page.add("amount", outline.amount?.formatted ?? "any")
        for field in outline.fields {
            switch field {
            case .description(let text):
                outcome.json["description"] = .string(text)
                outcome.page.add("description", text)
            case .paymentHash(let hash):
                outcome.json["paymentHash"] = .string(hash.hexadecimal)
                outcome.page.add("payment hash", hash.hexadecimal)
            default: continue
            }
        }
        outcome.page.add("network", outline.network.rawValue)
        outcome.page.add("made", outline.timestamp.iso8601)
        outcome.page.add([
            .failed(
                "payment secret", "\(fault.reason), which every invoice needs today; it was probably made before 2021")
        ])
        return outcome
    }
}
