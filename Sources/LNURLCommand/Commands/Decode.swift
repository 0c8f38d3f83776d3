import ArgumentParser
import Bolt12
import LNURL
import LightningCoding

/// `lnurl decode`
struct Decode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what a text contains, without network access.",
        discussion: """
            EXAMPLES
              lnurl decode alice+rent@example.com
              lnurl decode 'https://example.com/gift?id=1&lightning=LNURL1…'
              echo lightning:lnurl1… | lnurl decode - --json
              lnurl decode 'bitcoin:?lno=lno1…'
              lnurl decode lni1… --for lnr1…      every rule of a payer; the status is 2 when one is broken
            """
    )

    @Argument(
        help: "An address, LNURL, URL or invoice, a BOLT12 offer or invoice request; or \"-\" for standard input.")
    var text: String

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "Check that a BOLT12 invoice is what this invoice request asked for.", valueName: "invoice-request"))
    var invoiceRequest: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard text != "-" || invoiceRequest != "-" else {
            throw ValidationError("Standard input can contain either the invoice or the request, not both.")
        }
    }

    func run() async throws {
        try await output.print {
            if let invoiceRequest {
                let invoice = try Bolt12Argument.read(text, as: .invoice)
                let request = try Bolt12Argument.read(invoiceRequest, as: .invoiceRequest).invoiceRequest()
                return try invoice.outcome(answering: request, at: .now())
            }
            let text = try Target.text(text)
            if let bolt12 = Bolt12Argument(text) { return try bolt12.outcome(at: .now()) }
            return try Self.outcome(of: Target.target(text))
        }
    }

    private static func outcome(of target: LNURLTarget) throws(ToolFault) -> Outcome {
        if case .bolt11(let invoice) = target {
            var outcome = try DecodeInvoice.outcome(of: invoice, at: .now())
            outcome.json = object(kind: target, with: outcome.json)
            return outcome
        }
        guard let url = target.url else { throw .notAskable }
        return outcome(of: target, at: url)
    }

    private static func outcome(of target: LNURLTarget, at url: HTTPURL) -> Outcome {
        let purpose = target.purpose
        let lnurl = EncodedURL.encode(url)
        let schemeText = (purpose ?? .pay).text(for: url)
        var outcome = Outcome()
        outcome.page.add(title: target.title)
        if case .address(let address) = target {
            outcome.page.add("name", address.name)
            outcome.page.add("tag", address.tag)
            outcome.page.add("domain", address.domain)
        }
        outcome.page.add("purpose", purpose?.words ?? "see lnurl info")
        outcome.page.add("URL", url.text)
        outcome.page.add("LNURL", lnurl)
        outcome.page.add("LUD-17", schemeText)
        outcome.json = object(
            kind: target,
            with: [
                "url": .string(url.text), "purpose": .text(purpose?.tag),
                "lnurl": .string(lnurl), "lud17": .text(schemeText),
            ])
        if case .address(let address) = target {
            outcome.json.append("name", .string(address.name))
            outcome.json.append("tag", .text(address.tag))
            outcome.json.append("domain", .string(address.domain))
        }
        return outcome
    }

    private static func object(kind target: LNURLTarget, with members: JSONObject) -> JSONObject {
        var object: JSONObject = ["kind": .string(target.kind)]
        object.append(members)
        return object
    }
}

extension LNURLTarget {
    /// The kind of the text, for programs.
    fileprivate var kind: String {
        switch self {
        case .address: "address"
        case .encoded: "lnurl"
        case .scheme: "lud17"
        case .web: "url"
        case .bolt11: "bolt11"
        }
    }

    fileprivate var title: String {
        switch self {
        case .address(let address): "Lightning address \(address.text)"
        case .encoded: "LNURL (LUD-01)"
        case .scheme(let scheme, _): "\(scheme.rawValue):// (LUD-17)"
        case .web: "URL"
        case .bolt11: "BOLT11 invoice"
        }
    }
}
