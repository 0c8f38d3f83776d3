import ArgumentParser
import Bolt12
import LightningCoding
import OutboundHTTP

struct RequestInvoice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invoice-request",
        abstract: "Request the invoice of a BOLT12 offer.",
        subcommands: [Create.self, Send.self]
    )

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
                let key = try SecretFile(keyIn: keyFile)
                let request = try options.request(for: offer, signedBy: key.secret, at: now)
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
                let (invoice, status) = try await invoice(of: offer, request, from: url)
                let judgment = PayerChecks(invoice: invoice, request: request, now: .now())
                // A forwarder accepts no other response.
                let check: Check =
                    200...299 ~= status
                    ? .passed("HTTP", "status \(status)")
                    : .failed("HTTP", "status \(status): an invoice counts with a status of 200 to 299 only")
                return Outcome(of: judgment, [check], way: ["httpStatus": .integer(status)])
            }
        }

        /// The invoice in the webhook's response, which breaks no rule by itself.
        private func invoice(
            of offer: Offer, _ request: InvoiceRequest, from webhook: HTTPURL
        ) async throws(ToolFault) -> (Bolt12Invoice, status: Int) {
            let body: JSONValue = [
                "event": "invoice.request",
                "data": ["offer": .string(offer.text), "invoiceRequest": .hexadecimal(request.stream.bytes)],
            ]
            let response = try await network.service(at: webhook, isSecret: true).send(
                .post, body.serializedBytes(), to: webhook)
            try response.refuseTemporaryFailure()
            let answer = try ServiceAnswer(response).json
            if let reason = answer["error"]?.string { throw .refused(reason: reason, status: response.status) }
            guard let text = answer["invoice"]?.string else { throw .webhookAnswer(status: response.status) }
            return (try rethrowing(Bolt12Invoice(text), as: ToolFault.servedBolt12Invoice), response.status)
        }

        private func request(from document: Bolt12Argument) throws(ToolFault) -> (InvoiceRequest, Offer) {
            if document.kind == .invoiceRequest {
                let request = try document.invoiceRequest()
                guard !options.areGiven else { throw .requestIsSigned }
                let offer = try rethrowing(request.mirroredOffer(), as: ToolFault.offer)
                guard let offer else { throw .answersNoOffer }
                return (request, offer)
            }
            let offer = try document.offer()
            guard let keyFile else { throw .keyFileNeeded }
            let key = try SecretFile(keyIn: keyFile)
            let request = try options.request(for: offer, signedBy: key.secret, at: .now())
            try key.keep()
            return (request, offer)
        }
    }
}
