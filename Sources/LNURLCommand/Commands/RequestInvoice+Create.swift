import ArgumentParser
import Bolt12
import LightningCoding

extension RequestInvoice {
    /// `lnurl invoice-request create`
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create and sign an invoice request for an offer.",
            discussion: """
                The request is signed with the key in --key-file. If the file does not exist, a fresh key is created and \
                written to it (mode 0600): keep it to prove later that you paid. A key that \
                is used again tells the payee that it is the same payer. A file that is accessible to others is refused.

                EXAMPLES
                  lnurl invoice-request create lno1… --amount 21sat --note "hi" --key-file payer.key
                  lnurl invoice-request create lno1… --quantity 2 --key-file payer.key | lnurl decode -
                """
        )

        @Argument(help: "The offer, lno1…, or \"-\" for standard input.")
        var offer: String

        @Option(help: ArgumentHelp("The file of the payer's secret key; made when missing.", valueName: "file"))
        var keyFile: String

        @OptionGroup var options: InvoiceRequestOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.print {
                let offer = try Bolt12Argument.read(offer, as: .offer).offer()
                let now = UnixTime.now()
                let key = try PayerKey(in: keyFile)
                let request = try options.request(for: offer, signedBy: key.key, at: now)
                try key.keep()
                var outcome = Outcome()
                outcome.page.add(request.text)
                outcome.json = request.json(at: now)
                outcome.json.append("keyFile", .string(keyFile))
                outcome.json.append("keyIsNew", .bool(key.isNew))
                return outcome
            }
        }
    }
}
