import Bolt12
import Conformance
import LNURL
import LightningCoding
import OnionMessages
import OnionPeer
import OutboundHTTP

extension ToolFault {
    /// The fault for people: what is wrong, and what to do if known.
    var explanation: String {
        switch self {
        case .commandLine(let explanation): explanation
        case .target(let fault, let text): fault.explanation(of: text)
        case .notAskable: "This is an invoice: there is no service to ask. Try lnurl decode-invoice."
        case .notForPaying(let purpose): "This is not for paying, but \(purpose.explanation)."
        case .amount(let fault, let text): fault.explanation(of: text)
        case .amountOutOfRange(let minimum, let maximum):
            "The service takes \(minimum.formatted) to \(maximum.formatted)."
        case .commentTooLong(0): "The service does not accept comments."
        case .commentTooLong(let allowed): "The service accepts comments of at most \(allowed) characters."
        case .payerDataNotAsked: "The service does not ask for all of this payer data, so nothing was sent."
        case .missingPayerData(let names):
            "The service requires payer data: \(names.joined(separator: ", "))."
        case .publicKey: "--pubkey takes a compressed public key: 66 hexadecimal digits."
        case .authKey: "The file of --auth-key-file must hold a secret key: 64 hexadecimal digits."
        case .preimage: "A preimage has 64 hexadecimal digits."
        case .preimageNeeded: "The text is encrypted: give the payment's preimage with --preimage-file."
        case .answerText:
            "This is not the JSON answer of a service, as lnurl request --json prints it, with what is needed here."
        case .invoice(let fault): "This is not a valid BOLT11 invoice: \(fault.explanation)."
        case .url(let fault): "This is not a usable URL: \(fault.explanation)."
        case .clearnetHTTP: "Plain http is for .onion hosts and this machine only (LUD-01)."
        case .noScheme: "LUD-17 cannot express this URL."
        case .symbol: "This text does not fit into a QR code."
        case .bolt12Text: "This is a text of BOLT12: try lnurl decode, or lnurl invoice-request."
        case .otherDocument(let expected):
            "This takes \(expected.map(\.phrase).joined(separator: " or "))."
        case .offer(let fault): "This is not a valid BOLT12 offer: \(fault.explanation)."
        case .invoiceRequest(let fault): "This is not a valid BOLT12 invoice request: \(fault.explanation)."
        case .bolt12Invoice(let fault): "This is not a valid BOLT12 invoice: \(fault.explanation)."
        case .terms(let fault): "The offer does not accept such a request: \(fault.explanation)."
        case .answersNoOffer: "This invoice request is not for an offer, so there is no webhook for it."
        case .requestIsSigned: "This invoice request is signed already: --amount, --note … are for an offer."
        case .keyFileNeeded: "A request for an offer is signed with the key in --key-file, made when missing."
        case .payerKey: "The file of --key-file must hold a secret key: 64 hexadecimal digits."
        case .openToOthers(let path): "\(path) is accessible to others; run chmod 600."
        case .noRandomness: "The system has no random numbers."
        case .unreadable(let path): "\(Self.name(of: path)) cannot be read."
        case .notText(let path): "\(Self.name(of: path)) is not UTF-8 text."
        case .tooLongInput(let path): "\(Self.name(of: path)) is longer than 4 MiB."
        case .unwritable(let path): "\(path) cannot be written."
        case .binaryToTerminal: "A PNG image cannot be shown in a terminal; use --output."
        case .vectors(let fault): "The vectors cannot be used: \(fault.reason)."
        case .network(let fault, let url): fault.explanation(at: url)
        case .redirected(let location, let status):
            "The service answered with a redirect (HTTP \(status)\(location.map { ", to \($0)" } ?? "")). "
                + "Wallets do not follow redirects."
        case .notJSON(_, let type, let status):
            "The answer is not JSON (HTTP \(status), \(type ?? "no content type"))."
        case .refused("", let status): "The service refused without a reason (HTTP \(status))."
        case .refused(let reason, let status): "The service refused: \(reason) (HTTP \(status))"
        case .answer(let fault): "The service's answer breaks a rule: \(fault.explanation)."
        case .servedInvoice(let fault): "The service's invoice breaks a rule: \(fault.explanation). Do not pay it."
        case .servedBolt12Invoice(let fault):
            "The invoice breaks a rule: \(fault.explanation). Do not pay it."
        case .webhookAnswer(let status): "The answer has neither an invoice nor an error (HTTP \(status))."
        case .unavailable(let status): "The service cannot answer now (HTTP \(status)); a forwarder would ask again."
        case .action(let fault): "The action is invalid: \(fault.explanation)."
        case .signingKey: "The file of --signing-key-file must hold a secret."
        case .cannotListen(let port):
            "Cannot listen on port \(port) of this machine. Is it in use? Choose another with --listen-port."
        case .noReply(let seconds): "The notification was accepted, but no reply came within \(seconds) seconds."
        case .replyNotJSON: "The reply is not JSON."
        case .otherPreimage: "This is the preimage of another payment: its SHA-256 is not the invoice's payment hash."
        case .noWay: "No path of the offer can be used: each starts at a channel of an unknown node."
        case .tooLongForMessage: "The request does not fit into an onion message."
        case .peer(let end, let address): "There is no connection with \(address): \(end.reason)."
        case .peerLost: "The node closed the connection before an answer came."
        case .noMessage: "No answer in time. Nodes do not report whether they forward messages; try another with --via."
        case .messageRefused(""): "The payee refused without a reason."
        case .messageRefused(let reason): "The payee refused: \(reason)"
        case .servedInvoiceError: "The payee refused, with an invalid invoice_error."
        }
    }
}

extension ToolFault {
    private static func name(of path: String) -> String { path == "-" ? "Standard input" : path }
}

extension Bolt12Text.Kind {
    fileprivate var phrase: String {
        switch self {
        case .offer: "a BOLT12 offer (lno1…)"
        case .invoiceRequest: "an invoice request (lnr1…)"
        case .invoice: "a BOLT12 invoice (lni1…)"
        }
    }
}

extension AmountFault {
    /// A sentence about the user's text.
    fileprivate func explanation(of text: String) -> String {
        switch self {
        case .empty, .notANumber:
            "\"\(text)\" is not an amount. Write a number with its unit: 21sat, 1500msat or 0.001btc."
        case .missingUnit: "The amount \(text) has no unit. Write \(text)sat, \(text)msat or \(text)btc."
        case .unknownUnit: "The amount \(text) has an unknown unit. The units are sat, msat and btc."
        case .notWholeMillisatoshi: "The amount \(text) is not a whole number of millisatoshis, the smallest unit."
        case .overflow: "The amount \(text) is more bitcoin than there will ever be."
        }
    }
}

extension OutboundFault {
    /// The fault for people, as a sentence.
    func explanation(at url: HTTPURL) -> String {
        let host = url.authority
        return switch self {
        case .resolve: "The host \(host) does not exist."
        case .connect: "\(host) refused the connection."
        case .refusedAddress: "The service points to \(host), which is in a private network; no request was sent."
        case .onionWithoutProxy: "\(host) is reached through Tor: add --tor, with Tor running on this machine."
        case .proxy: "The proxy does not answer, or refuses to connect to \(host)."
        case .otherKey: "\(host) has a different key than expected."
        case .tls: "No secure connection to \(host): its certificate is not trusted, or is for another name."
        case .handshake: "No secure connection to \(host): the handshake failed, or it does not use TLS."
        case .timeout(requestSent: false): "\(host) could not be reached in time."
        case .timeout(requestSent: true): "\(host) did not answer in time."
        case .connectionLost: "\(host) closed the connection before its answer was complete."
        case .malformedResponse: "The answer of \(host) is not HTTP."
        case .headersTooLarge, .bodyTooLarge: "The answer of \(host) is too long."
        case .cancelled, .closed, .overloaded: "The request was cancelled."
        case .other(let code): "The request failed (libcurl \(code))."
        }
    }
}
