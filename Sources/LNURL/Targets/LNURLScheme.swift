public import LightningCoding

/// The schemes that stand in for `https` and say what a URL is for (LUD-17).
public enum LNURLScheme: String, CaseIterable, Hashable, Sendable {
    /// `payRequest`
    case pay = "lnurlp"
    /// `withdrawRequest`
    case withdraw = "lnurlw"
    /// `channelRequest`
    case channel = "lnurlc"
    /// `login`
    case auth = "keyauth"

    /// What an answer of this kind carries as `tag`.
    public var tag: String {
        switch self {
        case .pay: "payRequest"
        case .withdraw: "withdrawRequest"
        case .channel: "channelRequest"
        case .auth: "login"
        }
    }

    /// The URL under this scheme, `lnurlp://…`; nil when nothing could tell that its own scheme is meant, as in plain
    /// http to the clearnet.
    public func text(for url: HTTPURL) -> String? {
        guard url.scheme == URLPolicy.implicitScheme(forHostOf: url) else { return nil }
        return rawValue + url.text.dropFirst(url.scheme.rawValue.count)
    }

    /// The URL that a text under one of these schemes means; nil when its scheme is none of them. The scheme is read in
    /// any case, the rest is kept as it is.
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
