import LNURL
import LightningCoding
import LightningCrypto
import OutboundHTTP

/// Checks of the first response (LUD-06) beyond parsing, which has already checked limits, URLs and metadata.
struct InfoChecks {
    /// The response as received.
    let json: JSONValue
    let request: PayRequest
    let metadata: PayMetadata
    let target: LNURLTarget
    let response: HTTPResponse

    var all: [Check] {
        var checks = Self.numbers(of: request, in: json) + [callback]
        if case .address(let address) = target { checks.append(identifier(address)) }
        if let zaps = ZapSupport(json) { checks.append(zaps.check) }
        return checks + [crossOrigin, http]
    }

    /// Checks the numbers of a response, which some services write as strings. Parsing accepts these, since their
    /// meaning is clear; strict wallets refuse them.
    static func numbers(of request: PayRequest, in json: JSONValue) -> [Check] {
        let limits = ["minSendable", "maxSendable"].compactMap { string($0, in: json, "limits", "LUD-06") }
        let comment = string("commentAllowed", in: json, "comment", "LUD-12")
        return
            (limits.isEmpty
            ? [.passed("limits", "\(request.minSendable.formatted) to \(request.maxSendable.formatted)")] : limits)
            + [comment].compactMap(\.self)
    }

    private static func string(_ member: String, in json: JSONValue, _ check: String, _ rule: String) -> Check? {
        json[member]?.string.map { .failed(check, "\(member) is the string \"\($0)\", not a number (\(rule))") }
    }

    private var callback: Check {
        let asked = target.url?.host ?? ""
        guard request.callback.host == asked else {
            return .warning("callback", "points to another host, \(request.callback.host), which some wallets refuse")
        }
        guard request.callback.query == nil else {
            return .warning("callback", "has a query of its own, which some wallets lose")
        }
        return .passed("callback", "on the same host, path only")
    }

    private func identifier(_ address: LightningAddress) -> Check {
        switch metadata.identifier ?? metadata.email {
        case nil: .warning("identifier", "neither text/identifier nor text/email is in the metadata (LUD-16)")
        case address.identifier?: .passed("identifier", "is the requested address")
        case address.text?: .passed("identifier", "is the requested address, with its tag")
        case let other?: .warning("identifier", "is another address, \(other)")
        }
    }

    private var crossOrigin: Check {
        switch response.headers.first(named: "Access-Control-Allow-Origin") {
        case "*": .passed("CORS", "allows web wallets")
        default: .warning("CORS", "no Access-Control-Allow-Origin: *, so web wallets cannot use it (LUD-01)")
        }
    }

    private var http: Check {
        let type = response.headers.first(named: "Content-Type") ?? "none"
        guard response.status == 200 else {
            return .warning("HTTP", "status \(response.status) with a valid body: some wallets only look at the status")
        }
        guard type.lowercased().hasPrefix("application/json") else {
            return .warning("HTTP", "the content type is \(type), not application/json")
        }
        return .passed("HTTP", "status 200, application/json")
    }
}

/// Zap support in the first response (NIP-57): whether Nostr clients may send zaps, and which key signs the receipts.
struct ZapSupport {
    private let allowsNostr: JSONValue
    private let nostrPubkey: JSONValue

    /// Nil when the response does not mention zaps.
    init?(_ json: JSONValue) {
        allowsNostr = json["allowsNostr"] ?? .null
        nostrPubkey = json["nostrPubkey"] ?? .null
        guard !allowsNostr.isNull || !nostrPubkey.isNull else { return nil }
    }

    var check: Check {
        switch (allowsNostr.bool, key) {
        case (nil, _): .warning("zaps", "allowsNostr is neither true nor false: Nostr clients will not zap (NIP-57)")
        case (false, _): .passed("zaps", "not accepted")
        case (true, nil):
            .warning(
                "zaps", "nostrPubkey is not 64 hexadecimal digits of a public key: Nostr clients will not zap (NIP-57)")
        case (true, let key?): .passed("zaps", "receipts are signed by \(Hexadecimal.encode(key.bytes))")
        }
    }

    /// For the page: `accepted, receipts are signed by …`.
    var summary: String {
        let signer = nostrPubkey.string.map { ", receipts signed by \($0)" } ?? ""
        return (allowsNostr.bool == true ? "accepted" : "not accepted") + signer
    }

    private var key: XOnlyPublicKey? {
        nostrPubkey.string.flatMap { text in
            (try? Hexadecimal.decode(text)).flatMap { try? XOnlyPublicKey($0) }
        }
    }
}
