public import LightningCoding
public import LightningCrypto

/// The URL paths of addresses; builds and parses them.
///
/// | path | question |
/// |---|---|
/// | `/.well-known/lnurlp/{name}`, `/lnurlp/{name}` | what may be sent (LUD-06, LUD-16) |
/// | `/lnurlpay/{name}/invoice`, `/lnurlpay/{name}/v{token}/invoice` | an invoice |
/// | `/lnurlpay/{name}/{payment hash}`, `/lnurlpay/{name}/{token}/{payment hash}` | whether that invoice has been paid (LUD-21) |
///
/// All but the last also accept `{name}+{tag}`, and all accept a public key, in hexadecimal digits, in place of the name. No path
/// needs a query, since wallets often fail to append to one.
public enum PayPaths {
    /// Who is to be paid, as paths name them.
    public enum Recipient: Hashable, Sendable {
        /// A name, with or without a tag.
        case name(LocalPart)
        /// A public key, whose owner need not have a name.
        case key(PublicKey)

        /// As in a path.
        public var text: String {
            switch self {
            case .name(let localPart): localPart.text
            case .key(let key): key.hexadecimal
            }
        }
    }

    /// The URL of a payRequest.
    public static func info(of recipient: LocalPart, at service: HTTPURL) -> HTTPURL {
        service.appendingPath("/.well-known/lnurlp/\(recipient.text)")
    }

    /// The URL for an invoice.
    ///
    /// - Parameters:
    ///   - recipient: who is to be paid.
    ///   - token: tells which metadata the payer was shown; nil for the current ones.
    ///   - service: the domain's public URL.
    public static func callback(of recipient: Recipient, token: PayToken? = nil, at service: HTTPURL) -> HTTPURL {
        let token = token.map { "v\($0.number)/" } ?? ""
        return service.appendingPath("/lnurlpay/\(recipient.text)/\(token)invoice")
    }

    /// The URL that tells whether an invoice has been paid.
    ///
    /// - Parameters:
    ///   - paymentHash: the invoice's.
    ///   - recipient: who is paid, without a tag.
    ///   - token: tells the service about the invoice; nil for none.
    ///   - service: the domain's public URL.
    public static func verify(
        _ paymentHash: PaymentHash, of recipient: Recipient, token: PayToken? = nil, at service: HTTPURL
    ) -> HTTPURL {
        let token = token.map { "\($0.number)/" } ?? ""
        return service.appendingPath("/lnurlpay/\(recipient.text)/\(token)\(paymentHash.hexadecimal)")
    }
}

/// A number in a URL that means something only to whoever has written it, such as the version of the metadata that a payer was
/// shown.
public struct PayToken: Hashable, Sendable {
    /// At least 1.
    public let number: UInt64

    /// A token with that number, which must be at least 1.
    public init(_ number: UInt64) {
        self.number = number
    }

    /// Reads decimal digits, without a zero at the front.
    fileprivate init?(_ segment: some StringProtocol) {
        guard !segment.begins(with: "0"), let number = UInt64(digits: segment) else { return nil }
        self.init(number)
    }
}

extension PayPaths {
    /// What a path requests.
    public enum Question: Hashable, Sendable {
        /// The payRequest.
        case info(Recipient)
        /// An invoice.
        case invoice(Recipient, token: PayToken?)
        /// Whether it has been paid.
        case verify(PaymentHash, of: Recipient, token: PayToken?)
    }

    /// Why a path is not answered here.
    public enum Fault: Error, Hashable, Sendable {
        /// It has none of the known forms.
        case unknownPath
        /// The name breaks a rule of LUD-16.
        case recipient(AddressFault)
        /// The token of a callback is not a positive number in the form `v1`, not `v01`, and never `v0`.
        case callbackToken
        /// The payment hash is not 64 hexadecimal digits.
        case paymentHash
        /// The token before the payment hash is not a positive number of 64 bits in the form `1`.
        case verifyToken
    }

    /// Parses the path of a request as sent, percent-encoded, without its query. One trailing slash is ignored.
    public static func question(of path: some StringProtocol) throws(Fault) -> Question {
        // Split at bytes: every request comes through here, and splitting at characters costs several times as much.
        let segments = String(path).utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.first?.isEmpty == true else { throw .unknownPath }
        var parts = segments.dropFirst().map { ExactText(Substring($0)) }
        if parts.last?.text.isEmpty == true { parts.removeLast() }
        return switch (parts.first, parts.count) {
        case (".well-known", 3) where parts[1] == "lnurlp": .info(try recipient(parts[2].text))
        case ("lnurlp", 2): .info(try recipient(parts[1].text))
        case ("lnurlpay", 3) where parts[2] == "invoice": .invoice(try recipient(parts[1].text), token: nil)
        case ("lnurlpay", 4) where parts[3] == "invoice":
            .invoice(try recipient(parts[1].text), token: try callbackToken(parts[2].text))
        case ("lnurlpay", 3): try verification(of: parts[2].text, for: parts[1].text, token: nil)
        case ("lnurlpay", 4) where parts[2].text.isDigits:
            try verification(of: parts[3].text, for: parts[1].text, token: parts[2].text)
        default: throw .unknownPath
        }
    }

    private static func callbackToken(_ segment: String) throws(Fault) -> PayToken {
        guard segment.begins(with: "v"), let token = PayToken(String(decoding: segment.utf8.dropFirst(), as: UTF8.self))
        else { throw .callbackToken }
        return token
    }

    private static func recipient(_ segment: String) throws(Fault) -> Recipient {
        // No name is as long as a key.
        if segment.utf8.count == 66, let key = try? PublicKey(hexadecimal: segment) { return .key(key) }
        return .name(try rethrowing(LocalPart(pathSegment: segment), as: Fault.recipient))
    }

    private static func verification(
        of hash: String, for name: String, token: String?
    ) throws(Fault) -> Question {
        let recipient = try recipient(name)
        if case .name(let localPart) = recipient, localPart.tag != nil { throw .unknownPath }
        let read = try token.map { text throws(Fault) in
            guard let token = PayToken(text) else { throw .verifyToken }
            return token
        }
        return .verify(
            try rethrowing(PaymentHash(hexadecimal: hash), as: Fault.paymentHash), of: recipient, token: read)
    }
}
