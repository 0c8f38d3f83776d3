import ArgumentParser
import Bolt12
import LightningCoding
import OnionMessages
import OnionPeer

struct OfferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offer",
        abstract: "Request the invoice of a BOLT12 offer over the Lightning network.",
        subcommands: [OfferRequest.self]
    )
}

extension OfferCommand {
    struct OfferRequest: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "request",
            abstract: "Request an invoice by onion message, as a wallet does, and check it.",
            discussion: """
                Connects to a Lightning node, sends it an invoice request over one of the offer's paths, \
                waits for the invoice on a reply path through the same node, and checks it with every rule of a payer. \
                Nothing is paid. Without an answer the other paths of the offer are tried. The request is signed with a \
                fresh key that is not kept, or with the one in --key-file; the node sees another fresh key.

                EXAMPLES
                  lnurl offer request lno1… --amount 21sat --via 02…@203.0.113.7:9735
                  lnurl offer request - --quantity 2 --note "hi" --via 02…@abc….onion:9735 --tor --json < offer.txt
                """
        )

        @Argument(help: "The offer, lno1…, or \"-\" for standard input.")
        var offer: String

        @OptionGroup var messages: MessageOptions

        @Option(
            help: ArgumentHelp(
                "The file of the payer's secret key; made when missing (default: a key that is not kept).",
                valueName: "file"))
        var keyFile: String?

        @OptionGroup var options: InvoiceRequestOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.print {
                let offer = try Bolt12Argument.read(offer, as: .offer).offer()
                let key = try keyFile.map { path throws(ToolFault) in try SecretFile(keyIn: path) }
                let request = try options.request(for: offer, signedBy: key?.secret ?? .fresh(), at: .now())
                let conversation = try InvoiceConversation(request, for: offer, through: messages.via.nodeID)
                let (link, arrivals) = try await messages.connect(as: conversation.nodeKey, on: request.chainToPayOn)
                defer { link.close() }
                try key?.keep()
                let (invoice, path) = try await conversation.answer(over: link, arrivals, within: messages.time)
                let judgment = PayerChecks(
                    invoice: invoice, request: request, now: .now(), arrival: .viaReplyPath, sentToPath: path)
                return Outcome(of: judgment, way: ["path": path.map { .integer($0) } ?? .null])
            }
        }
    }
}
