import Bolt11
import Bolt12
import Doctor
import LNURL
import LightningCoding
import OnionMessages
import OnionPeer
import OutboundHTTP

// MARK: - The service

extension ToolFault {
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
        case .cancelled, .closed, .overloaded: unanswered("network", "The request was cancelled.")
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
}

// MARK: - The Lightning network

extension ToolFault {
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
}

// MARK: - Notifications

extension ToolFault {
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
