import Bolt12
import LNURL
import LightningCoding

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
