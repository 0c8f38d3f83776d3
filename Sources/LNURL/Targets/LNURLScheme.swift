public import LightningCoding

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
