public import LightningCoding

/// The part of a Lightning address after the `@`: `example.com`, `example.com:8443`, `127.0.0.1:8080`; or all names one
/// label below a domain: `*.example.com`.
///
/// Lower case, an internationalized name in its `xn--` form, without the root's trailing dot, without the default port:
/// equal names have equal bytes.
public struct DomainName: Hashable, Sendable {
    /// The name, with its port unless that is the default one.
    public let text: String

    private static let wildcard = "*."

    /// Parses a name. The default port is that of the scheme which `URLPolicy` implies for it.
    public init(_ text: some StringProtocol) throws(URLFault) {
        let text = String(text)
        let isWildcard = text.begins(with: Self.wildcard)
        // A domain has no path: these characters would end the host.
        guard !text.utf8.contains(where: Self.endsHost) else { throw .invalidHost }
        let rest = Substring(text.utf8.dropFirst(isWildcard ? Self.wildcard.utf8.count : 0))
        let url = try HTTPURL("https://\(Self.withoutFinalDot(rest))")
        let name = Self.authority(of: url, scheme: URLPolicy.implicitScheme(forHostOf: url))
        // Below an address there are no names.
        guard !isWildcard || !url.isAddress else { throw .invalidHost }
        self.text = isWildcard ? Self.wildcard + name : name
    }

    /// The name of the host that a URL is at.
    public init(of url: HTTPURL) {
        text = Self.authority(of: url, scheme: url.scheme)
    }

    private init(wildcardBelow parent: DomainName) {
        text = Self.wildcard + parent.text
    }

    /// Whether it stands for all names one label below a domain.
    public var isWildcard: Bool { text.begins(with: Self.wildcard) }

    /// Whether it is a Tor onion service, or all names one label below one.
    public var isOnion: Bool {
        let host = text.utf8.lastIndex(of: UInt8(ascii: ":")).map { text[..<$0] } ?? text[...]
        return host.hasSuffix(".onion")
    }

    /// All names one label below this one.
    public var below: DomainName { DomainName(wildcardBelow: self) }

    private static func endsHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\"): true
        default: false
        }
    }

    private static func withoutFinalDot(_ name: Substring) -> String {
        let end = name.utf8.lastIndex(of: UInt8(ascii: ":")) ?? name.endIndex
        let host = name[..<end]
        guard host.utf8.count > 1, host.utf8.last == UInt8(ascii: ".") else { return String(name) }
        return String(host.dropLast()) + name[end...]
    }

    private static func authority(of url: HTTPURL, scheme: HTTPURL.Scheme) -> String {
        url.port == scheme.defaultPort ? url.hostText : url.authority
    }
}

extension DomainName: CustomStringConvertible {
    /// The same as `text`.
    public var description: String { text }
}

extension DomainName: Comparable {
    /// Orders by bytes.
    public static func < (one: DomainName, other: DomainName) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
}
