import ArgumentParser
import Bolt11
import LNURL
import LightningCoding

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
            throw .invoice(error)
        }
        var outcome = Outcome()
        outcome.json = invoice.json(at: now)
        outcome.page.add(title: "BOLT11 invoice")
        invoice.add(to: &outcome.page, at: now)
        outcome.page.add([.passed("signature", "by the payee")])
        return outcome
    }
}
