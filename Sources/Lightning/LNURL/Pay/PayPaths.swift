public import LightningCoding
public import LightningCrypto

/// The URL paths of addresses; builds and parses them.
///
/// | path | question |
/// |---|---|
/// | `/.well-known/lnurlp/{name}`, `/lnurlp/{name}` | what may be sent (LUD-06, LUD-16) |
/// | `/lnurlpay/{name}/v{version}/invoice` | an invoice that commits to that version's metadata |
/// | `/lnurlpay/{name}/invoice` | an invoice that commits to the current metadata |
/// | `/lnurlpay/{name}/{seconds}/{payment hash}`, `/lnurlpay/{name}/{payment hash}` | whether that invoice has been paid (LUD-21) |
///
/// All but the last also accept `{name}+{tag}`. No path needs a query, since wallets often fail to append to one.
public enum PayPaths {
    /// The URL of a payRequest.
    public static func info(of recipient: LocalPart, at service: HTTPURL) -> HTTPURL {
        service.appendingPath("/.well-known/lnurlp/\(recipient.text)")
    }

    /// The URL for an invoice that commits to one version of the metadata.
    public static func callback(of recipient: LocalPart, version: UInt64, at service: HTTPURL) -> HTTPURL {
        service.appendingPath("/lnurlpay/\(recipient.text)/v\(version)/invoice")
    }

    /// The URL for an invoice that commits to the current metadata.
    public static func callback(of recipient: LocalPart, at service: HTTPURL) -> HTTPURL {
        service.appendingPath("/lnurlpay/\(recipient.text)/invoice")
    }

    /// The URL that tells whether an invoice has been paid.
    ///
    /// - Parameters:
    ///   - paymentHash: the invoice's.
    ///   - name: the account, as the URL names it.
    ///   - createdAt: when it was issued, which helps the service to find it; nil leaves that out.
    ///   - service: the domain's public URL.
    public static func verify(
        _ paymentHash: PaymentHash, of name: AddressName, createdAt: UnixTime? = nil, at service: HTTPURL
    ) -> HTTPURL {
        let moment = createdAt.map { "\($0.seconds)/" } ?? ""
        return service.appendingPath("/lnurlpay/\(name.text)/\(moment)\(paymentHash.hexadecimal)")
    }
}

extension PayPaths {
    /// What a path requests.
    public enum Question: Hashable, Sendable {
        /// The payRequest.
        case info(LocalPart)
        /// An invoice that commits to this version of the metadata; nil means the current one.
        case invoice(LocalPart, version: UInt64?)
        /// Whether it has been paid, and when it was issued if the path says so.
        case verify(PaymentHash, of: AddressName, createdAt: UnixTime?)
    }

    /// Why a path is not answered here.
    public enum Fault: Error, Hashable, Sendable {
        /// It has none of the known forms.
        case unknownPath
        /// The name breaks a rule of LUD-16.
        case recipient(AddressFault)
        /// The version is not a positive number in the form `v1`, not `v01`, and never `v0`.
        case version
        /// The payment hash is not 64 hexadecimal digits.
        case paymentHash
        /// The time before the payment hash is not a number of seconds in decimal digits.
        case time
    }

    /// Parses the path of a request as sent, percent-encoded, without its query. One trailing slash is ignored.
    public static func question(of path: some StringProtocol) throws(Fault) -> Question {
        // Split at bytes: every request comes through here, and splitting at characters costs several times as much.
        let segments = String(path).utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.count > 1, segments.first?.isEmpty == true else { throw .unknownPath }
        var parts = segments.dropFirst().map { ExactText(Substring($0)) }
        if parts.count > 1, parts.last?.text.isEmpty == true { parts.removeLast() }
        return switch (parts.first, parts.count) {
        case (".well-known", 3) where parts[1] == "lnurlp": .info(try recipient(parts[2].text))
        case ("lnurlp", 2): .info(try recipient(parts[1].text))
        case ("lnurlpay", 3) where parts[2] == "invoice": .invoice(try recipient(parts[1].text), version: nil)
        case ("lnurlpay", 4) where parts[3] == "invoice":
            .invoice(try recipient(parts[1].text), version: try version(parts[2].text))
        case ("lnurlpay", 3): try verification(of: parts[2].text, for: parts[1].text, at: nil)
        case ("lnurlpay", 4) where parts[2].text.isDigits:
            try verification(of: parts[3].text, for: parts[1].text, at: parts[2].text)
        default: throw .unknownPath
        }
    }

    /// Parses the version segment written by `callback(of:version:at:)`: `v1`.
    public static func version(_ segment: some StringProtocol) throws(Fault) -> UInt64 {
        let digits = String(decoding: segment.utf8.dropFirst(), as: UTF8.self)
        guard segment.begins(with: "v"), !digits.begins(with: "0"), let version = UInt64(digits: digits) else {
            throw .version
        }
        return version
    }

    private static func recipient(_ segment: String) throws(Fault) -> LocalPart {
        try rethrowing(LocalPart(pathSegment: segment), as: Fault.recipient)
    }

    private static func verification(of hash: String, for name: String, at time: String?) throws(Fault) -> Question {
        let recipient = try recipient(name)
        guard recipient.tag == nil else { throw .unknownPath }
        var createdAt: UnixTime?
        if let time {
            guard !time.begins(with: "0"), let seconds = UInt64(digits: time) else { throw .time }
            createdAt = UnixTime(seconds)
        }
        return .verify(
            try rethrowing(PaymentHash(hexadecimal: hash), as: Fault.paymentHash), of: recipient.name,
            createdAt: createdAt)
    }
}
