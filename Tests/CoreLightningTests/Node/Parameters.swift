import LightningCoding
import LightningCrypto

/// The parameters of a command, checked as lightningd does: no unknown ones, no missing ones, each of the right type.
struct Parameters {
    private let given: JSONObject

    private static let known: [String: (needed: [String], optional: Set<String>)] = [
        "getinfo": ([], []),
        "listpeerchannels": ([], ["id", "short_channel_id"]),
        "invoice": (
            ["amount_msat", "label", "description"],
            ["expiry", "fallbacks", "preimage", "exposeprivatechannels", "cltv", "deschashonly"]
        ),
        "listinvoices": ([], ["label", "invstring", "payment_hash", "offer_id", "index", "start", "limit"]),
        "delinvoice": (["label", "status"], ["desconly"]),
        "waitanyinvoice": ([], ["lastpay_index", "timeout"]),
        "wait": (["subsystem", "indexname", "nextvalue"], []),
        "offer": (
            ["amount"],
            ["description", "issuer", "label", "quantity_max", "absolute_expiry", "single_use"]
        ),
        "listoffers": ([], ["offer_id", "active_only"]),
        "disableoffer": (["offer_id"], []),
    ]

    init(_ method: String, _ given: JSONObject) throws(Lightningd.RPCError) {
        self.given = given
        guard let known = Self.known[method] else {
            throw Lightningd.RPCError(code: -32601, message: "Unknown command '\(method)'")
        }
        for member in given.members where !known.needed.contains(member.key) && !known.optional.contains(member.key) {
            throw .badParameter(
                "unknown parameter: \(member.key), this may be caused by a failure to autodetect key=value-style "
                    + "parameters. Please try using the -k flag and explicit key=value pairs of parameters.")
        }
        for key in known.needed where given[key] == nil { throw .badParameter("missing required parameter: \(key)") }
    }

    func text(_ key: String) throws(Lightningd.RPCError) -> String {
        guard let text = given[key]?.string else { throw .badParameter("\(key): should be a string") }
        return text
    }

    func truth(_ key: String) throws(Lightningd.RPCError) -> Bool? {
        guard let value = given[key] else { return nil }
        guard let truth = value.bool else { throw .badParameter("\(key): should be 'true' or 'false'") }
        return truth
    }

    func number(_ key: String) throws(Lightningd.RPCError) -> UInt64? {
        guard let value = given[key] else { return nil }
        guard let number = value.uint64 else {
            throw .badParameter("\(key): should be an unsigned 64 bit integer: invalid token '\(value.serialized())'")
        }
        return number
    }

    /// nil for any amount.
    func amount() throws(Lightningd.RPCError) -> Millisatoshi? {
        let value = given["amount_msat"] ?? .null
        if value.string == "any" { return nil }
        guard let amount = value.uint64, amount > 0 else {
            throw .badParameter(
                "amount_msat: should be positive msat or 'any': invalid token '\(value.serialized())'")
        }
        return Millisatoshi(amount)
    }

    func hash(_ key: String) throws(Lightningd.RPCError) -> String? {
        guard let value = given[key] else { return nil }
        guard let text = value.string, (try? PaymentHash(hexadecimal: text)) != nil else {
            throw .badParameter("\(key): should be a 32 byte hex value: invalid token '\(value.serialized())'")
        }
        return text
    }

    func preimage() throws(Lightningd.RPCError) -> Preimage? {
        guard let value = given["preimage"] else { return nil }
        guard let text = value.string, let preimage = try? Preimage(hexadecimal: text) else {
            throw .badParameter("preimage: should be 64 hex digits: invalid token '\(value.serialized())'")
        }
        return preimage
    }

    /// lightningd examines the raw text of the request, and does not decode `\u` escapes.
    static func hasUnicodeEscape(_ raw: [UInt8]) -> Bool {
        var isEscaped = false
        for byte in raw {
            if isEscaped {
                if byte == UInt8(ascii: "u") { return true }
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            }
        }
        return false
    }
}

extension Lightningd.RPCError {
    static func badParameter(_ message: String) -> Self { Self(code: -32602, message: message) }
}
