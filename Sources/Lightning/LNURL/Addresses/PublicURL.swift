public import LightningCoding

/// Where payers reach a domain; every URL given out for it begins with this.
///
/// `https://example.com`, also with a port or a path. For a wildcard domain `https://*.example.com`: each account has a
/// host of its own, `https://alice.example.com`.
public struct PublicURL: Hashable, Sendable {
    /// The domain: the host, with its port unless that is the default one.
    public let domain: DomainName
    /// The URL; without the `*.` for a wildcard domain.
    private let url: HTTPURL

    /// The URL of a domain that is no wildcard.
    public init(_ url: HTTPURL) {
        self.init(url, at: DomainName(of: url))
    }

    private init(_ url: HTTPURL, at domain: DomainName) {
        self.url = url.withoutDefaultPort
        self.domain = domain
    }

    /// Parses a URL whose host may begin with `*.`; it must have no query.
    public init(_ text: some StringProtocol) throws(URLFault) {
        let parts = String(text).utf8.split(
            separator: UInt8(ascii: "*"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            let url = try HTTPURL(text)
            if let query = url.query { throw .invalidCharacter(at: text.utf8.count - query.utf8.count - 1) }
            self.init(url)
            return
        }
        guard parts[0].elementsEqual("https://".utf8) || parts[0].elementsEqual("http://".utf8),
            parts[1].first == UInt8(ascii: ".")
        else { throw .invalidHost }
        let url = try HTTPURL(String(Substring(parts[0])) + String(Substring(parts[1].dropFirst())))
        guard url.query == nil, !url.isAddress else { throw .invalidHost }
        self.init(url, at: DomainName(of: url).below)
    }

    /// The URL as parsed, without a final `/` after the host.
    public var text: String {
        let text = url.scheme.rawValue + "://" + (domain.isWildcard ? "*." : "") + url.authority
        return url.path == "/" ? text : text + url.path
    }

    /// Where the URLs of an account begin; of a wildcard domain, that account's own host.
    ///
    /// - Parameter label: the account's label; unused unless the domain is a wildcard.
    public func base(of label: String) -> HTTPURL {
        domain.isWildcard ? url.below(label: label) : url
    }
}

extension PublicURL: CustomStringConvertible {
    /// The same as `text`.
    public var description: String { text }
}
