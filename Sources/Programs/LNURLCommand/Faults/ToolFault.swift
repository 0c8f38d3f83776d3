import Bolt11
import Bolt12
import Devices
import Doctor
import LNURL
import LightningCoding
import OnionMessages
import OnionPeer
import OutboundHTTP

/// Why a command failed. Each fault is declared once, with its name, its exit status and its sentence.
struct ToolFault: Error {
    let name: String
    let status: ExitStatus
    /// The fault for people: what is wrong, and what to do if known.
    let reason: String
    /// For programs: the service's text and status, and the broken BOLT 12 rule under its name in the vectors.
    let details: JSONObject

    init(
        _ name: String, _ status: ExitStatus, _ reason: String, theirs: String? = nil, http: Int? = nil,
        rule: String? = nil
    ) {
        self.name = name
        self.status = status
        self.reason = reason
        var details: JSONObject = [:]
        details["reason"] = theirs.map { .string($0) }
        details["httpStatus"] = http.map { .integer($0) }
        details["rule"] = rule.map { .string($0) }
        self.details = details
    }

    var json: JSONObject {
        var fault: JSONObject = ["name": .string(name), "message": .string(reason)]
        fault.append(details)
        return ["ok": false, "fault": .object(fault)]
    }
}

// MARK: - Arguments

extension ToolFault {
    static func commandLine(_ reason: String) -> Self { Self("command-line", .usage, reason) }
    static func target(_ fault: TargetFault, _ text: String) -> Self {
        Self("target", .badInput, fault.reason(of: text))
    }
    static let notAskable = Self(
        "not-askable", .badInput, "This is an invoice: there is no service to ask. Try lnurl decode-invoice.")
    static func notForPaying(_ purpose: LNURLScheme) -> Self {
        Self("not-for-paying", .badInput, "This is not for paying, but \(purpose.words).")
    }
    static func amount(_ fault: AmountFault, _ text: String) -> Self { Self("amount", .usage, fault.reason(of: text)) }
    static func amountOutOfRange(minimum: Millisatoshi, maximum: Millisatoshi) -> Self {
        Self("amount-out-of-range", .badInput, "The service accepts \(minimum.formatted) to \(maximum.formatted).")
    }
    static func commentTooLong(allowed: Int) -> Self {
        let comment = allowed == 0 ? "no comment" : "a comment of at most \(allowed) characters"
        return Self("comment-too-long", .badInput, "The service accepts \(comment).")
    }
    static let payerDataNotAsked = Self(
        "payer-data-not-asked", .badInput, "The service does not ask for all of this payer data, so nothing was sent.")
    static func missingPayerData(_ names: [String]) -> Self {
        let list = names.joined(separator: ", ")
        return Self("missing-payer-data", .badInput, "The service requires more payer data: \(list).")
    }
    static let publicKey = Self(
        "public-key", .badInput, "--pubkey takes a compressed public key: 66 hexadecimal digits.")
    static let authKey = Self(
        "auth-key", .badInput, "The file of --auth-key-file must hold a secret key: 64 hexadecimal digits.")
    static let preimage = Self("preimage", .badInput, "A preimage has 64 hexadecimal digits.")
    static let preimageNeeded = Self(
        "preimage-needed", .badInput, "The text is encrypted: give the payment's preimage with --preimage-file.")
    static let otherPreimage = Self(
        "other-preimage", .badInput,
        "This is the preimage of another payment: its SHA-256 is not the invoice's payment hash.")
    static let answerText = Self(
        "answer-text", .badInput,
        "This is not the JSON answer of a service, as lnurl request --json prints it, with what is needed here.")
    static let signingKey = Self("signing-key", .badInput, "The file of --signing-key-file must hold a secret.")
    static func invoice(_ fault: Bolt11Fault) -> Self {
        Self("invoice", .badInput, "This is not a valid BOLT11 invoice: \(fault.reason).")
    }
    static func url(_ fault: URLFault) -> Self { Self("url", .badInput, "This is not a usable URL: \(fault.reason).") }
    static let clearnetHTTP = Self(
        "clearnet-http", .badInput, "Plain http is for .onion hosts and this machine only (LUD-01).")
    static let noScheme = Self("no-scheme", .badInput, "LUD-17 cannot express this.")
    static let noSymbol = Self("qr", .badInput, "This text does not fit into a QR code.")

    // MARK: - BOLT12

    static let bolt12Text = Self(
        "bolt12-text", .badInput, "This is a BOLT12 string: try lnurl decode, or lnurl invoice-request.")
    static func otherDocument(expected: [Bolt12Text.Kind]) -> Self {
        Self("other-document", .badInput, "This takes \(expected.map(\.words).joined(separator: " or ")).")
    }
    static func offer(_ fault: OfferFault) -> Self {
        Self("offer", .badInput, "This is not a valid BOLT12 offer: \(fault.reason).", rule: fault.rule)
    }
    static func invoiceRequest(_ fault: InvoiceRequestFault) -> Self {
        let reason = "This is not a valid BOLT12 invoice request: \(fault.reason)."
        return Self("invoice-request", .badInput, reason, rule: fault.rule)
    }
    static func bolt12Invoice(_ fault: InvoiceFault) -> Self {
        Self("invoice", .badInput, "This is not a valid BOLT12 invoice: \(fault.reason).", rule: fault.rule)
    }
    static func terms(_ fault: InvoiceRequestFault) -> Self {
        Self("terms", .badInput, "The offer does not accept such a request: \(fault.reason).", rule: fault.rule)
    }
    static let answersNoOffer = Self(
        "answers-no-offer", .badInput, "This invoice request is not for an offer, so there is no webhook for it.")
    static let requestIsSigned = Self(
        "request-is-signed", .usage, "This invoice request is signed already: --amount, --note … are for an offer.")
    static let keyFileNeeded = Self(
        "key-file-needed", .usage, "A request for an offer is signed with the key in --key-file, made when missing.")
    static let payerKey = Self(
        "payer-key", .badInput, "The file of --key-file must hold a secret key: 64 hexadecimal digits.")

    // MARK: - Push messages

    static func wake(_ fault: WakeFault) -> Self {
        Self("wake", .badInput, "This cannot be read as a device would: \(fault.reason).")
    }
    static let install = Self(
        "install", .usage, "--install takes 1 to 64 letters, digits, hyphens and underscores.")
    static let acknowledgement = Self(
        "acknowledgement", .usage, "This takes the id of a wake, and --outcome handled, no_handler or failed.")
    static let deviceSecret = Self(
        "device-secret", .badInput,
        "The file of --secret-file must hold the secret of a device: wkd_ and 43 characters.")
    static func statement(_ fault: DeviceStatementFault) -> Self {
        Self("statement", .badInput, "This cannot be registered: \(fault.reason).")
    }

    // MARK: - Files

    static func unreadable(_ path: String) -> Self {
        Self("unreadable", .unreadableFile, "\(name(of: path)) cannot be read.")
    }
    static func notText(_ path: String) -> Self { Self("not-text", .badInput, "\(name(of: path)) is not UTF-8 text.") }
    static func tooLongInput(_ path: String) -> Self {
        Self("too-long-input", .badInput, "\(name(of: path)) is longer than 4 MiB.")
    }
    static func openToOthers(_ path: String) -> Self {
        Self("open-to-others", .unreadableFile, "\(path) is accessible to others; run chmod 600.")
    }
    static let noRandomness = Self("no-randomness", .unreadableFile, "The system has no random numbers.")
    static let interrupted = Self("interrupted", .noAnswer, "The examination was interrupted.")
    static func unwritable(_ path: String) -> Self { Self("unwritable", .unwritableFile, "\(path) cannot be written.") }
    static let outputFailed = Self(
        "output-failed", .failedOutput, "Standard output cannot be written. Is the disk full?")
    static let binaryToTerminal = Self(
        "binary-to-terminal", .unwritableFile, "A PNG image cannot be shown in a terminal; use --output.")
    static func knownFailures(_ path: String) -> Self {
        Self("known-failures", .unreadableFile, "\(path) is not a readable list of known failures.")
    }
    static func vectors(_ fault: VectorFault) -> Self {
        switch fault {
        case .silentProgram:
            Self("silent-implementation", .noAnswer, "The implementation does not run: \(fault.reason).")
        case .unusable: Self("vectors", .unreadableFile, "The vectors cannot be used: \(fault.reason).")
        }
    }

    private static func name(of path: String) -> String { path == "-" ? "Standard input" : path }

    // MARK: - The service

    /// How many Unicode scalars of a service's text are shown: it may write any length.
    private static let shownScalars = 1000

    static func network(_ fault: OutboundFault, _ url: HTTPURL) -> Self {
        let host = url.authority
        func unanswered(_ name: String, _ reason: String) -> Self { Self(name, .noAnswer, reason) }
        return switch fault {
        case .resolve: unanswered("no-such-host", "The host \(host) does not exist.")
        case .connect: unanswered("connection-refused", "\(host) refused the connection.")
        case .refusedAddress:
            unanswered(
                "refused-address",
                "The service points to \(host), which is in a private network; no request was sent.")
        case .onionWithoutProxy:
            unanswered(
                "onion-without-proxy",
                "\(host) is reached through Tor: add --tor, with Tor running on this machine.")
        case .proxy: unanswered("proxy", "The proxy does not answer, or refuses to connect to \(host).")
        case .otherKey: unanswered("other-key", "\(host) has a different key than expected.")
        case .tls(let fault):
            Self(
                "tls", fault == .unreadableAuthorities ? .unreadableFile : .noAnswer,
                "No secure connection to \(host): \(fault.reason).")
        case .handshake:
            unanswered(
                "tls-handshake", "No secure connection to \(host): the handshake failed, or it does not use TLS.")
        case .timeout(requestSent: false): unanswered("timeout", "\(host) could not be reached in time.")
        case .timeout(requestSent: true): unanswered("timeout", "\(host) did not answer in time.")
        case .connectionLost:
            unanswered("connection-lost", "\(host) closed the connection before its answer was complete.")
        case .malformedResponse: unanswered("malformed-response", "The answer of \(host) is not HTTP.")
        case .headersTooLarge: unanswered("headers-too-large", "The answer of \(host) is too long.")
        case .bodyTooLarge: unanswered("body-too-large", "The answer of \(host) is too long.")
        case .canceled, .closed, .overloaded: unanswered("network", "The request was canceled.")
        case .other(let code): unanswered("network", "The request failed (libcurl \(code)).")
        }
    }
    static func redirected(to location: String?, status: Int) -> Self {
        let answer = "HTTP \(status)\(location.map { ", to \($0)" } ?? "")"
        let reason = "The service answers with a redirect (\(answer)). Wallets do not follow those."
        return Self("redirected", .brokenRule, reason, http: status)
    }
    static func notJSON(_ response: HTTPResponse) -> Self {
        let type = response.headers.first(named: "Content-Type") ?? "no content type"
        let encoding = response.headers.first(named: "Content-Encoding").map { ", encoded as \($0)" } ?? ""
        let reason = "The answer is not JSON (HTTP \(response.status), \(type)\(encoding))."
        return Self("not-json", .brokenRule, reason, http: response.status)
    }
    static func refused(reason: String, status: Int) -> Self {
        let reason = reason.shortened(to: Self.shownScalars)
        let words = reason.isEmpty ? " and gives no reason (HTTP \(status))." : ": \(reason) (HTTP \(status))"
        return Self("service-error", .refused, "The service refuses" + words, theirs: reason, http: status)
    }
    static let strangeAnswer = Self(
        "strange-answer", .brokenRule, "The answer lacks members that a device needs.")
    static let notRegistered = Self(
        "not-registered", .refused, "Nothing is registered with this key at the service (HTTP 404).", http: 404)
    static func answer(_ fault: LNURLFault) -> Self {
        Self("answer", .brokenRule, "The service's answer breaks a rule: \(fault.reason).")
    }
    static func servedInvoice(_ fault: Bolt11Fault) -> Self {
        Self("served-invoice", .brokenRule, "The service's invoice breaks a rule: \(fault.reason). Do not pay it.")
    }
    static func servedBolt12Invoice(_ fault: InvoiceFault) -> Self {
        let reason = "The invoice breaks a rule: \(fault.reason). Do not pay it."
        return Self("served-invoice", .brokenRule, reason, rule: fault.rule)
    }
    static func webhookAnswer(status: Int) -> Self {
        let reason = "The answer has neither an invoice nor an error (HTTP \(status))."
        return Self("webhook-answer", .brokenRule, reason, http: status)
    }
    static func unavailable(status: Int) -> Self {
        let reason = "The service cannot answer now (HTTP \(status)); a forwarder would ask again."
        return Self("unavailable", .noAnswer, reason, http: status)
    }
    static func action(_ fault: SuccessActionFault) -> Self {
        let status: ExitStatus = fault == .wrongPreimage ? .badInput : .brokenRule
        return Self("success-action", status, "The action is invalid: \(fault.reason).")
    }

    // MARK: - The Lightning network

    static let noWay = Self(
        "no-way", .badInput,
        "No path of the offer can be used: each starts at a channel of an unknown node.")
    static let tooLongForMessage = Self(
        "too-long-for-message", .badInput, "The request does not fit into an onion message.")
    static func peer(_ end: ConnectionEnd, _ address: PeerAddress) -> Self {
        Self("peer", .noAnswer, "There is no connection with \(address): \(end.reason).")
    }
    static let peerLost = Self(
        "connection-lost", .noAnswer, "The node closed the connection before an answer came.")
    static let noMessage = Self(
        "timeout", .noAnswer,
        "No answer in time. Nodes do not report whether they forward messages; try another with --via.")
    static func messageRefused(reason: String) -> Self {
        let reason = reason.shortened(to: Self.shownScalars)
        let words = reason.isEmpty ? " and gives no reason." : ": \(reason)"
        return Self("invoice-error", .refused, "The payee refuses" + words, theirs: reason)
    }
    static let servedInvoiceError = Self(
        "served-invoice-error", .brokenRule, "The payee refused, with an invalid invoice_error.")

    // MARK: - Notifications

    static func cannotListen(port: UInt16) -> Self {
        let reason = "Cannot listen on port \(port) of this machine. Is it in use? Choose another with --listen-port."
        return Self("cannot-listen", .noAnswer, reason)
    }
    static func noReply(seconds: Double) -> Self {
        Self("no-reply", .noAnswer, "The notification was accepted, but no reply came within \(seconds) seconds.")
    }
    static let notAnswered = Self("no-reply", .noAnswer, "The notification was accepted, but not answered.")
    static let replyNotJSON = Self("reply-not-json", .brokenRule, "The reply is not JSON.")
}

// MARK: - Words

extension TargetFault {
    func reason(of text: String) -> String {
        switch self {
        case .empty: "The text is empty."
        case .unrecognized: "This is not an address, an LNURL, a URL or an invoice." + Self.suggestion(for: text)
        case .bech32(let fault): "This LNURL is damaged: \(fault.reason)."
        case .wrongPrefix(let prefix): "This is bech32, but not an LNURL: it begins with \"\(prefix)\"."
        case .notUTF8: "This LNURL does not contain text."
        case .url(let fault): "\(Self.held(by: text)) is not a usable URL: \(fault.reason)."
        case .clearnetHTTP:
            "\(Self.held(by: text)) is plain http, which is for .onion hosts and this machine only (LUD-01)."
        case .address(let fault): "This is not a Lightning address: \(fault.reason)."
        }
    }

    /// What a lone name or host is missing, with a leading space.
    private static func suggestion(for text: String) -> String {
        if text.contains("."), let url = try? HTTPURL("https://" + text) {
            return " Write https://\(text) for the URL, or name@\(url.authority) for an address."
        }
        guard let name = try? LocalPart(text) else { return "" }
        return " If it is a name, add the service's domain: \(name.text)@domain."
    }

    /// Shows the decoded text of bech32.
    private static func held(by text: String) -> String {
        (try? EncodedURL.decodeText(text)).map { "\"\($0)\", which this LNURL contains," } ?? "This"
    }
}

extension AmountFault {
    func reason(of text: String) -> String {
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

extension Bolt12Text.Kind {
    var words: String {
        switch self {
        case .offer: "a BOLT12 offer (lno1…)"
        case .invoiceRequest: "an invoice request (lnr1…)"
        case .invoice: "a BOLT12 invoice (lni1…)"
        }
    }
}

extension LNURLScheme {
    var words: String {
        switch self {
        case .pay: "to pay (LUD-06)"
        case .withdraw: "to withdraw (LUD-03)"
        case .channel: "to have a channel opened (LUD-02)"
        case .auth: "to log in (LUD-04)"
        }
    }
}
