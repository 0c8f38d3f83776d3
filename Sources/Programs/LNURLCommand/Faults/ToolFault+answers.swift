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
        let status = fault == .tls(.unreadableAuthorities) ? ExitStatus.unreadableFile : .noAnswer
        return Self(fault.name, status, fault.reason(at: url))
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
