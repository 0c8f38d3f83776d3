import ArgumentParser
import Bolt12
import Conformance
import LightningCoding
import LightningCrypto

extension RequestInvoice {
    /// `lnurl invoice-request send`
    struct Send: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Request the invoice of an offer from a webhook, and check it.",
            discussion: """
                Calls the webhook as a swap service does that took the request off the Lightning network: POST with \
                {"event":"invoice.request","data":{"offer":…,"invoiceRequest":…}}. Nothing is paid. The invoice is \
                checked with every rule of a payer; the status is 2 when one of them says not to pay. A webhook's URL \
                is often a secret: give it as "-" to keep it from the command line.

                EXAMPLES
                  lnurl invoice-request send https://example.com/webhook/alice/7c1b… lno1… --amount 21sat \
                --key-file payer.key
                  lnurl invoice-request send - lnr1… < webhook.url
                """
        )

        @Argument(help: "The webhook's URL, or \"-\" for standard input.")
        var webhook: String

        @Argument(help: "An offer, lno1…, or an invoice request, lnr1…; or \"-\" for standard input.")
        var document: String

        @Option(
            help: ArgumentHelp(
                "The file of the payer's secret key for an offer; made when missing.", valueName: "file"))
        var keyFile: String?

        @OptionGroup var options: InvoiceRequestOptions
        @OptionGroup var network: NetworkOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard webhook != "-" || document != "-" else {
                throw ValidationError("Standard input can contain either the URL or the offer, not both.")
            }
        }

        func run() async throws {
            try await output.print {
                let url = try Target.url(Target.text(webhook))
                let document = try Bolt12Argument.read(document, as: .offer, .invoiceRequest)
                let (request, offer) = try request(from: document)
                let answer = try await network.service(at: url, isSecret: true).requestInvoice(
                    of: offer, request, from: url)
                let judgement = PayerChecks(invoice: answer.invoice, request: request, now: .now())
                return Outcome(of: judgement, [answer.httpCheck], way: ["httpStatus": .integer(answer.status)])
            }
        }

        private func request(from document: Bolt12Argument) throws(ToolFault) -> (InvoiceRequest, Offer) {
            guard document.kind == .offer else { return try Self.signedRequest(document.invoiceRequest(), options) }
            let offer = try document.offer()
            guard let keyFile else { throw .keyFileNeeded }
            let key = try PayerKey(in: keyFile)
            let request = try options.request(for: offer, signedBy: key.key, at: .now())
            try key.keep()
            return (request, offer)
        }

        private static func signedRequest(
            _ request: InvoiceRequest, _ options: InvoiceRequestOptions
        ) throws(ToolFault) -> (InvoiceRequest, Offer) {
            guard !options.areGiven else { throw .requestIsSigned }
            let offer = try rethrowing(request.mirroredOffer(), as: ToolFault.offer)
            guard let offer else { throw .answersNoOffer }
            return (request, offer)
        }
    }
}
