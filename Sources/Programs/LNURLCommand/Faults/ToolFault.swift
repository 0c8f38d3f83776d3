import Bolt12
import LNURL
import LightningCoding
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

    /// The object of `--json`.
    var json: JSONObject {
        var fault: JSONObject = ["name": .string(name), "message": .string(reason)]
        fault.append(details)
        return ["ok": false, "fault": .object(fault)]
    }
}

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
    /// The kind of document, with its prefix.
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

extension OutboundFault {
    /// The fault for people, as a sentence.
    func reason(at url: HTTPURL) -> String {
        let host = url.authority
        return switch self {
        case .resolve: "The host \(host) does not exist."
        case .connect: "\(host) refused the connection."
        case .refusedAddress: "The service points to \(host), which is in a private network; no request was sent."
        case .onionWithoutProxy: "\(host) is reached through Tor: add --tor, with Tor running on this machine."
        case .proxy: "The proxy does not answer, or refuses to connect to \(host)."
        case .otherKey: "\(host) has a different key than expected."
        case .tls(let fault): "No secure connection to \(host): \(fault.reason)."
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

    var name: String {
        switch self {
        case .resolve: "no-such-host"
        case .connect: "connection-refused"
        case .refusedAddress: "refused-address"
        case .onionWithoutProxy: "onion-without-proxy"
        case .proxy: "proxy"
        case .otherKey: "other-key"
        case .tls: "tls"
        case .handshake: "tls-handshake"
        case .timeout: "timeout"
        case .connectionLost: "connection-lost"
        case .malformedResponse: "malformed-response"
        case .headersTooLarge: "headers-too-large"
        case .bodyTooLarge: "body-too-large"
        case .cancelled, .overloaded, .closed, .other: "network"
        }
    }
}
