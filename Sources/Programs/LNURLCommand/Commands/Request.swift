import ArgumentParser
import Bolt11
import Doctor
import LNURL
import LightningCoding
import LightningCrypto
import OutboundHTTP

struct Request: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Request an invoice, and check it against the request.",
        discussion: """
            Nothing is paid. The invoice is checked as by lnurl doctor; the status is 2 when a rule is broken.

            EXAMPLES
              lnurl request alice@example.com 21sat
              lnurl request alice@example.com 0.001btc --comment "thank you" --qr ansi
              lnurl request alice@example.com 1500msat --name Bob --strict-hash --json
            """
    )

    @Argument(help: "An address, LNURL or URL, or \"-\" for standard input.")
    var target: String

    @Argument(help: "How much, with its unit: 21sat, 1500msat, 0.001btc.")
    var amount: String

    @Option(help: ArgumentHelp("A comment to the receiver.", valueName: "text"))
    var comment: String?

    @OptionGroup(title: "Payer data") var payer: PayerOptions

    @Flag(help: "Refuse an invoice with a text in place of the hash of the metadata.")
    var strictHash = false

    @Option(
        name: .customLong("network"),
        help: ArgumentHelp(
            "Refuse an invoice of any other network: bitcoin, testnet, signet or regtest.", valueName: "name"),
        transform: Network.named)
    var expectedNetwork: Network?

    @Flag(help: "Ask for the invoice with POST (LUD-26), and with GET if the service does not understand.")
    var post = false

    @OptionGroup var qr: QROptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.print {
            try qr.checkDestination(output)
            let amount = try Millisatoshi(argument: amount)
            let target = try Target.read(target)
            let url = try Target.payURL(target)
            let service = try network.service(at: url)
            let first = try await service.get(url)
            let (request, _) = try first.payRequest()
            let query = try query(amount, for: request)
            let (answer, transportChecks) = try await ask(service, query, at: request.callback)
            var evidence = try Evidence(of: target, network: expectedNetwork)
            evidence.record(.info, at: url, first.response)
            evidence.record(.invoice, at: query.url(on: request.callback), answer.response)
            return try outcome(answer, transportChecks + checks(evidence), query, request)
        }
    }

    private func query(_ amount: Millisatoshi, for request: PayRequest) throws(ToolFault) -> CallbackQuery {
        guard request.minSendable <= amount, amount <= request.maxSendable else {
            throw .amountOutOfRange(minimum: request.minSendable, maximum: request.maxSendable)
        }
        if let comment, !Comment.fits(comment, allowed: request.commentAllowed) {
            throw .commentTooLong(allowed: request.commentAllowed)
        }
        let payerData = try payer.payerData(for: request.payerData)
        return CallbackQuery(amount: amount, comment: comment, payerData: payerData?.text)
    }

    private func ask(
        _ service: Service, _ query: CallbackQuery, at callback: HTTPURL
    ) async throws(ToolFault) -> (ServiceAnswer, [Check]) {
        guard post else { return (try await service.get(query.url(on: callback)), []) }
        do throws(ToolFault) {
            let answer = try ServiceAnswer(await service.send(.post, query.body.serializedBytes(), to: callback))
            return (answer, [.passed("POST", "understood (LUD-26)")])
        } catch {
            guard error.isRefusalOfMethod else { throw error }
            let answer = try await service.get(query.url(on: callback))
            return (answer, [.warning("POST", "not understood; asked with GET")])
        }
    }

    private func checks(_ evidence: Evidence) -> [Check] {
        evidence.checks(of: .invoice).map { check in
            strictHash && check.name == "invoice-hash" && check.verdict == .warning
                ? Check.failed(check.name, check.detail) : check
        }
    }

    private func outcome(
        _ answer: ServiceAnswer, _ checks: [Check], _ query: CallbackQuery, _ request: PayRequest
    ) throws(ToolFault) -> Outcome {
        let (response, invoice) = try answer.payInvoice(from: request.callback)
        var outcome = Outcome(status: checks.haveFailed ? .brokenRule : .ok)
        outcome.json = [
            "pr": .string(invoice.text),
            "amount": .unsigned(query.amount.msat),
            "paymentHash": .string(invoice.paymentHash.hexadecimal),
            "network": .string(invoice.network.rawValue),
            "payee": .string(invoice.payee.hexadecimal),
            "expiresAt": .unsigned(invoice.expiresAt.seconds),
            "verify": .text(response.verify?.text),
            "disposable": .bool(response.disposable),
            "successAction": response.successAction?.json ?? .null,
            "callback": .string(request.callback.text),
            "metadata": .string(request.metadata),
            "comment": .text(query.comment),
            "payerData": .text(query.payerData),
            "checks": checks.json,
        ]
        outcome.page.add(title: "Invoice for \(query.amount.formatted)")
        outcome.page.add("payment hash", invoice.paymentHash.hexadecimal)
        outcome.page.add("verify", response.verify?.text)
        outcome.page.add("afterwards", response.successAction?.summary)
        outcome.page.add(summaryOf: checks)
        outcome.page.add(invoice: invoice.text, checks)
        try qr.add(qr.qr == nil ? invoice.text : invoice.text.uppercased(), to: &outcome)
        return outcome
    }
}

extension ServiceAnswer {
    fileprivate func payInvoice(from callback: HTTPURL) throws(ToolFault) -> (PayInvoice, Bolt11Invoice) {
        let answer = try rethrowing(PayInvoice(json: json, from: callback), as: ToolFault.answer)
        return (answer, try rethrowing(Bolt11Invoice(answer.pr), as: ToolFault.servedInvoice))
    }
}

extension SuccessAction {
    fileprivate var summary: String {
        switch self {
        case .message(let message): "a message: \(message.text)"
        case .url(let link): "a link: \(link.description.text) \(link.text)"
        case .aes(let action): "an encrypted text, for lnurl success: \(action.description.text)"
        }
    }
}

extension ToolFault {
    /// Whether the service apparently does not support POST.
    fileprivate var isRefusalOfMethod: Bool {
        guard name == "service-error", let code = details["httpStatus"]?.uint64 else { return name == "not-json" }
        return [404, 405, 415, 501].contains(code)
    }
}
