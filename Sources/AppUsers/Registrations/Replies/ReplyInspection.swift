package import Bolt11
package import Bolt12
package import LNURL
package import LightningCoding
package import LightningCrypto
import ResponderCore

/// What a device has answered, after every check.
package indirect enum DeviceAnswer: Sendable {
    /// The limits and metadata; the callback is the one that was asked.
    case info(PayRequest)
    case invoice(PayInvoice, PaymentHash)
    case verify(VerifyResponse)
    /// The BOLT12 invoice.
    case offered(Bolt12Invoice)
}

/// Checks a device's reply before a payer sees anything of it. What passes is written anew: nothing that is not understood
/// is passed on.
package struct ReplyInspection: Sendable {
    package let network: Network
    package let now: UnixTime

    /// The longest reply, in bytes.
    package static let maximumCount = 64 << 10
    /// The longest BOLT11 invoice, in characters.
    static let maximumInvoice = 4096
    /// The longest reason of a refusal, in bytes of UTF-8; a longer one is not shown.
    static let maximumReason = 400
    private static let limits = JSONLimits(maximumBytes: maximumCount, maximumDepth: 8, maximumMembers: 256)

    package init(network: Network, now: UnixTime) {
        self.network = network
        self.now = now
    }

    package func answer(in body: [UInt8], to question: DeviceQuestion) throws(ReplyFault) -> DeviceAnswer {
        guard body.count <= Self.maximumCount else { throw .tooLarge }
        let json = try rethrowing(JSONValue(parsing: body, limits: Self.limits), as: ReplyFault.json)
        switch question {
        case .info(let callback): return .info(try info(json, callback))
        case .invoice(let question): return try invoice(json, question)
        case .verify(let hash): return .verify(try verification(json, of: hash))
        case .invoiceRequest(let request, let offer):
            return .offered(try offered(json, answering: request, to: offer))
        }
    }

    private func info(_ json: JSONValue, _ callback: HTTPURL) throws(ReplyFault) -> PayRequest {
        let answer = try Self.understood { () throws(LNURLFault) in try PayRequest(json: json) }
        guard answer.callback == callback else { throw .callback }
        return answer
    }

    private func invoice(
        _ json: JSONValue, _ question: DeviceQuestion.InvoiceQuestion
    ) throws(ReplyFault) -> DeviceAnswer {
        let answer = try Self.understood { () throws(LNURLFault) in
            let members = try JSONMembers<LNURLFault>(json)
            if let error = ErrorResponse(json: json) { throw .refused(error) }
            return (pr: try members.text("pr"), verify: try members.optionalText("verify"))
        }
        let invoice = try bolt11(answer.pr)
        guard invoice.amount == question.query.amount else { throw .amount }
        guard commits(invoice, to: question) else { throw .description }
        guard now < invoice.expiresAt else { throw .expired }
        // A device that does not know verify URLs does not answer questions about them.
        let url = answer.verify == nil ? nil : try? HTTPURL(question.verifyTemplate.url(of: invoice.paymentHash))
        return .invoice(PayInvoice(pr: invoice.text, verify: url), invoice.paymentHash)
    }

    private func commits(_ invoice: Bolt11Invoice, to question: DeviceQuestion.InvoiceQuestion) -> Bool {
        guard case .hash(let hash) = invoice.description else { return false }
        guard let shown = question.shown else { return true }
        if MetadataMark(ofHash: hash) == shown { return true }
        // NIP-57: the zap request, as received.
        return question.query.nostr.map { hash == SHA256.hash($0.utf8) } ?? false
    }

    private func verification(_ json: JSONValue, of hash: PaymentHash) throws(ReplyFault) -> VerifyResponse {
        let answer = try Self.understood { () throws(LNURLFault) in try VerifyResponse(json: json) }
        guard try bolt11(answer.pr).paymentHash == hash else { throw .paymentHash }
        guard answer.preimage.map({ $0.paymentHash == hash }) ?? !answer.settled else { throw .preimage }
        return answer
    }

    private func bolt11(_ text: String) throws(ReplyFault) -> Bolt11Invoice {
        guard text.utf8.count <= Self.maximumInvoice else { throw .tooLarge }
        let invoice = try rethrowing(UnverifiedBolt11Invoice(text).verified(), as: ReplyFault.bolt11)
        guard invoice.network == network else { throw .network }
        return invoice
    }

    /// Whether a body is a reply to a BOLT12 request: an object with an invoice or an error.
    static func isOffered(_ body: [UInt8]) -> Bool {
        guard let json = try? JSONValue(parsing: body, limits: limits) else { return false }
        return json["invoice"] != nil || json["error"] != nil
    }

    private func offered(
        _ json: JSONValue, answering request: [UInt8], to offer: String
    ) throws(ReplyFault) -> Bolt12Invoice {
        if let error = json["error"]?.string { throw .refused(Self.shown(error)) }
        guard let text = json["invoice"]?.string else { throw .missingInvoice }
        let request = try rethrowing(InvoiceRequest(bytes: request), as: ReplyFault.request)
        let invoice = try rethrowing(Bolt12Invoice(text), as: ReplyFault.bolt12)
        let reception = InvoiceReception(arrival: .outsideLightning, now: now, chains: [ChainHash(network)])
        try rethrowing(invoice.check(answering: request, reception), as: ReplyFault.bolt12)
        return invoice
    }

    /// The value, or what the device says instead.
    private static func understood<Value>(_ read: () throws(LNURLFault) -> Value) throws(ReplyFault) -> Value {
        do throws(LNURLFault) {
            return try read()
        } catch .refused(let error) {
            throw .refused(shown(error.reason))
        } catch {
            throw .answer(error)
        }
    }

    /// A reason as a payer may see it: one line, or nothing when it is too long to be one.
    private static func shown(_ reason: String) -> String {
        reason.utf8.count <= maximumReason ? reason.printable : ""
    }
}

/// Why a device's reply does not reach the payer.
package enum ReplyFault: Error, NamedRule, Hashable, Sendable {
    /// It is longer than `ReplyInspection.maximumCount` bytes, or its invoice than any is.
    case tooLarge
    /// It is not JSON: HTML, for instance.
    case json(JSONFault)
    /// The device refuses, for this reason.
    case refused(String)
    case answer(LNURLFault)
    /// Its callback is not the one that was asked.
    case callback
    /// Its text is not a BOLT11 invoice with a valid signature.
    case bolt11(Bolt11Fault)
    case network
    /// The invoice is for another amount, or for any.
    case amount
    /// The invoice commits neither to the metadata that the payer was shown nor to the zap request.
    case description
    case expired
    /// The invoice has another payment hash than the one that was asked.
    case paymentHash
    /// The preimage is not that of the payment hash, or the invoice is said to be paid without one.
    case preimage
    /// It has neither `invoice` nor `error`.
    case missingInvoice
    /// Its text is not a BOLT12 invoice, or it does not answer the request.
    case bolt12(InvoiceFault)
    case request(InvoiceRequestFault)
}

extension ReplyFault: ReadableFault {
    /// The text for the operator; holds nothing of the reply.
    package var reason: String {
        switch self {
        case .tooLarge: "the reply, or the invoice in it, is too long"
        case .json: "the reply is not JSON"
        case .refused: "the device refuses"
        case .answer(.wrongTag): "the reply has another tag"
        case .answer(.metadata): "the metadata in the reply breaks a rule"
        case .answer(let fault): "the reply: \(fault.reason)"
        case .callback: "the reply names another callback"
        case .bolt11(let fault): "the invoice: \(fault.reason)"
        case .network: "the invoice is for another network"
        case .amount: "the invoice is for another amount"
        case .description: "the invoice does not commit to what the payer was shown"
        case .expired: "the invoice has expired"
        case .paymentHash: "the invoice has another payment hash"
        case .preimage: "the invoice is said to be paid without its preimage"
        case .missingInvoice: "the reply has neither invoice nor error"
        case .bolt12(let fault): "the invoice: \(fault.reason)"
        case .request: "the request cannot be read"
        }
    }

    package var rule: String {
        switch self {
        case .answer(.refused): "refused"
        case .answer: "shape"
        default: caseName
        }
    }
}
