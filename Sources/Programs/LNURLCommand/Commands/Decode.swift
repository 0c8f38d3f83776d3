import ArgumentParser
import Bolt11
import Bolt12
import LNURL
import LightningCoding
import LightningCrypto

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

extension Bolt12Argument {
    func outcome(at now: UnixTime) throws(ToolFault) -> Outcome {
        switch kind {
        case .offer:
            let offer = try offer()
            var outcome = Outcome(showing: offer.json(at: now), kind: "offer")
            offer.add(to: &outcome.page, at: now)
            return outcome
        case .invoiceRequest:
            let request = try invoiceRequest()
            var outcome = Outcome(showing: request.json(at: now), kind: "invoice-request")
            request.add(to: &outcome.page, at: now)
            outcome.add(request.checks(at: now))
            return outcome
        case .invoice:
            let invoice = try invoice()
            return Self.outcome(of: invoice, [invoice.signatureCheck, invoice.pathsCheck], at: now)
        }
    }

    /// The contents of an invoice, and whether it matches `request`. The rules about the invoice itself apply too.
    func outcome(answering request: InvoiceRequest, at now: UnixTime) throws(ToolFault) -> Outcome {
        let invoice: Bolt12Invoice
        do throws(InvoiceFault) {
            invoice = try Bolt12Invoice(text)
        } catch .record(.text(let fault)) {
            throw .bolt12Invoice(.record(.text(fault)))
        } catch {
            throw .servedBolt12Invoice(error)
        }
        let judgment = PayerChecks(invoice: invoice, request: request, now: now)
        var outcome = Self.outcome(of: invoice, judgment.all, at: now)
        outcome.json.append("brokenRule", .text(judgment.fault?.rule))
        return outcome
    }

    private static func outcome(of invoice: Bolt12Invoice, _ checks: [Check], at now: UnixTime) -> Outcome {
        var outcome = Outcome(showing: invoice.json(at: now), kind: "invoice")
        invoice.add(to: &outcome.page, at: now)
        outcome.add(checks)
        return outcome
    }
}

extension Outcome {
    fileprivate init(showing json: JSONObject, kind: String) {
        self.init()
        self.json = ["kind": .string("bolt12-" + kind)]
        self.json.append(json)
        page.add(title: "BOLT12 " + kind.replacing("-", with: " "))
    }

    fileprivate mutating func add(_ checks: [Check]) {
        if checks.haveFailed { status = .brokenRule }
        json.append("checks", checks.json)
        page.add(checks)
    }
}

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
