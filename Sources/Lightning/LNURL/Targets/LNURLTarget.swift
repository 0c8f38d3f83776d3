public import LightningCoding

/// The meaning of a text that was pasted, scanned or typed.
public enum LNURLTarget: Hashable, Sendable {
    /// A Lightning address (LUD-16).
    case address(LightningAddress)
    /// A URL in bech32 (LUD-01), alone or as the `lightning` parameter of another URI.
    case encoded(HTTPURL)
    /// A URL with a scheme that states its purpose (LUD-17).
    case scheme(LNURLScheme, HTTPURL)
    /// A plain URL.
    case web(HTTPURL)
    /// Apparently a BOLT11 invoice; not parsed.
    case bolt11(String)

    /// Parses a text.
    ///
    /// Surrounding spaces, a leading `lightning:` and a leading `₿` are ignored. An address is tried before bech32,
    /// since domains may contain "lnurl"; a scheme before an address, since URLs may contain `@`.
    public init(_ text: some StringProtocol) throws(TargetFault) {
        var text = String(text.trimmed)
        if let rest = text.dropping(prefix: "lightning:") {
            text = String(rest.dropping(prefix: "//") ?? rest)
        }
        guard !text.isEmpty else { throw .empty }
        if let inner = text.lightningParameter, let target = try Self(bare: inner) {
            self = target
        } else if let target = try Self(bare: text) {
            self = target
        } else if let (scheme, url) = try LNURLScheme.read(text) {
            guard URLPolicy.allows(url) else { throw .clearnetHTTP }
            self = .scheme(scheme, url)
        } else if text.contains("://") {
            self = .web(try Self.webURL(text))
        } else if text.utf8.contains(UInt8(ascii: "@")) {
            self = .address(try Self.address(text))
        } else {
            throw .unrecognized
        }
    }

    /// Parses a text without a scheme, recognized by its prefix; nil for any other.
    private init?(bare text: String) throws(TargetFault) {
        guard !text.utf8.contains(UInt8(ascii: "@")) else { return nil }
        if text.dropping(prefix: EncodedURL.humanReadablePart + "1") != nil {
            self = .encoded(try EncodedURL.decode(text))
        } else if Network.allCases.contains(where: { text.isBolt11(of: $0) }) {
            self = .bolt11(text)
        } else {
            return nil
        }
    }

    private static func webURL(_ text: String) throws(TargetFault) -> HTTPURL {
        let url = try rethrowing(HTTPURL(text), as: TargetFault.url)
        guard URLPolicy.allows(url) else { throw .clearnetHTTP }
        return url
    }

    private static func address(_ text: String) throws(TargetFault) -> LightningAddress {
        try rethrowing(LightningAddress(text.dropping(prefix: "₿") ?? text[...]), as: TargetFault.address)
    }

    /// The URL to request; nil for an invoice, which needs no request.
    public var url: HTTPURL? {
        switch self {
        case .address(let address): address.payURL
        case .encoded(let url), .scheme(_, let url), .web(let url): url
        case .bolt11: nil
        }
    }

    /// The purpose of the URL, as far as known without a request: from its scheme or `tag` parameter (LUD-01).
    public var purpose: LNURLScheme? {
        switch self {
        case .address: .pay
        case .scheme(let scheme, _): scheme
        case .encoded(let url), .web(let url):
            url.queryItems.first { $0.name.isExactly("tag") }.flatMap { item in
                LNURLScheme.allCases.first { $0.tag.isExactly(item.value) }
            }
        case .bolt11: nil
        }
    }
}

extension String {
    /// The `lightning` parameter of a URI (LUD-01, "Fallback scheme"), if any.
    fileprivate var lightningParameter: String? {
        guard let question = firstIndex(of: "?") else { return nil }
        let query = self[index(after: question)...].prefix { $0 != "#" }
        for item in query.split(separator: "&") {
            guard let value = item.dropping(prefix: "lightning=") else { continue }
            return (try? PercentEncoding.decode(value, plusIsSpace: true)) ?? String(value)
        }
        return nil
    }

    /// `lnbc`, an optional amount, then the separator; in either case.
    fileprivate func isBolt11(of network: Network) -> Bool {
        guard let rest = dropping(prefix: "ln" + network.bolt11Prefix), let first = rest.utf8.first else {
            return false
        }
        return (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first)
    }
}

extension StringProtocol {
    /// The text without surrounding ASCII white space.
    fileprivate var trimmed: SubSequence {
        let isSpace: (Character) -> Bool = { $0.isASCII && $0.isWhitespace }
        guard let last = lastIndex(where: { !isSpace($0) }) else { return self[endIndex...] }
        return self[...last].drop(while: isSpace)
    }

    /// The part after a prefix, which is case-insensitive; nil without that prefix.
    fileprivate func dropping(prefix: String) -> SubSequence? {
        let head = self.prefix(prefix.count)
        return head.lowercased() == prefix ? self[head.endIndex...] : nil
    }
}

/// Which URLs may be requested: `https`, or `http` for onion services (LUD-01) and, for testing, the local machine.
public enum URLPolicy {
    /// Whether a URL may be fetched. https to an onion service is unusual, but allowed.
    public static func allows(_ url: HTTPURL) -> Bool {
        url.scheme == .https || url.isOnion || url.isLoopback
    }

    /// The scheme when none is written (LUD-16 addresses, LUD-17 schemes).
    public static func implicitScheme(forHostOf url: HTTPURL) -> HTTPURL.Scheme {
        url.isOnion || url.isLoopback ? .http : .https
    }
}

/// A URL in bech32, `lnurl1…` (LUD-01): BIP-173's checksum, without its limit of 90 characters.
public enum EncodedURL {
    /// The human-readable part.
    public static let humanReadablePart = "lnurl"

    /// The longest text that is parsed, in characters.
    public static let maximumCount = 20_000

    /// Encodes a URL; in upper case for QR codes, which then use their denser alphanumeric mode.
    public static func encode(_ url: HTTPURL, upper: Bool = false) -> String {
        let groups = Bech32.groups(fromBytes: url.text.utf8)
        let text = Bech32.encode(
            .init(humanReadablePart: humanReadablePart, groups: groups),
            checksum: .bech32
        )
        return upper ? text.uppercased() : text
    }

    /// Decodes a text in either case, but not mixed, to an allowed URL.
    public static func decode(_ text: some StringProtocol) throws(TargetFault) -> HTTPURL {
        let content = try decodeText(text)
        let url = try rethrowing(HTTPURL(content), as: TargetFault.url)
        guard URLPolicy.allows(url) else { throw .clearnetHTTP }
        return url
    }

    /// The decoded text, whether or not it is a URL.
    public static func decodeText(_ text: some StringProtocol) throws(TargetFault) -> String {
        guard !text.isEmpty else { throw .empty }
        let (prefix, bytes) = try rethrowing(payload(of: text), as: TargetFault.bech32)
        guard prefix == humanReadablePart else { throw .wrongPrefix(prefix) }
        guard let content = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return content
    }

    private static func payload(of text: some StringProtocol) throws(CodingFault) -> (String, [UInt8]) {
        let decoded = try Bech32.decode(text, checksum: .bech32, maximumLength: maximumCount)
        return (decoded.humanReadablePart, try Bech32.bytes(fromGroups: decoded.groups[...]))
    }
}

/// The schemes that replace `https` and state the purpose of a URL (LUD-17).
public enum LNURLScheme: String, CaseIterable, Hashable, Sendable {
    /// `payRequest`
    case pay = "lnurlp"
    /// `withdrawRequest`
    case withdraw = "lnurlw"
    /// `channelRequest`
    case channel = "lnurlc"
    /// `login`
    case auth = "keyauth"

    /// The `tag` of such a response.
    public var tag: String {
        switch self {
        case .pay: "payRequest"
        case .withdraw: "withdrawRequest"
        case .channel: "channelRequest"
        case .auth: "login"
        }
    }

    /// The URL with this scheme, `lnurlp://…`; nil when its own scheme could not be restored, as for plain http to the
    /// clearnet.
    public func text(for url: HTTPURL) -> String? {
        guard url.scheme == URLPolicy.implicitScheme(forHostOf: url) else { return nil }
        return rawValue + url.text.dropFirst(url.scheme.rawValue.count)
    }

    /// The URL of a text with one of these schemes; nil for any other scheme. The scheme is case-insensitive; the rest
    /// is kept as it is.
    static func read(_ text: some StringProtocol) throws(TargetFault) -> (scheme: LNURLScheme, url: HTTPURL)? {
        guard let colon = text.firstIndex(of: ":"),
            let scheme = LNURLScheme(rawValue: text[..<colon].lowercased())
        else { return nil }
        let rest = text[colon...]
        do {
            let url = try HTTPURL("https" + rest)
            return switch URLPolicy.implicitScheme(forHostOf: url) {
            case .https: (scheme, url)
            case .http: (scheme, try HTTPURL("http" + rest))
            }
        } catch {
            throw .url(error)
        }
    }
}
