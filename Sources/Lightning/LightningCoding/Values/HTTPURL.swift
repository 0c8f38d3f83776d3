/// An `http` or `https` URL, parsed strictly and kept as written.
///
/// Nothing is accepted that two parsers might read differently (RFC 3986 without user info, fragments, percent signs in
/// the host, or IPv4 addresses other than four decimal numbers): what is checked here is what a client connects to.
public struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
    /// The protocol.
    public enum Scheme: String, Sendable {
        /// Unencrypted.
        case http
        /// Over TLS.
        case https

        /// The port when none is given.
        public var defaultPort: UInt16 { self == .https ? 443 : 80 }
    }

    /// The longest text that is parsed, in characters. Appending may make it longer.
    public static let maximumLength = 8192

    /// The protocol.
    public let scheme: Scheme
    /// A name or address in lower case, without the brackets of IPv6.
    public let host: String
    /// The port, if given: 1 to 65535.
    public let port: UInt16?
    /// The path as written, including percent-encoding; at least `/`.
    public let path: String
    /// The part after the `?`, as written.
    public let query: String?

    /// Parses an absolute URL. Throws the first broken rule, from left to right.
    public init(_ text: some StringProtocol) throws(URLFault) {
        let characters = Array(text.utf8)
        guard characters.count <= Self.maximumLength else { throw .tooLong }
        guard characters.allSatisfy({ $0 < 0x80 }) else { throw .notASCII }
        let (scheme, start) = try Self.scheme(of: characters)
        let rest = characters[start...]
        let end = rest.firstIndex { Self.endsAuthority($0) } ?? rest.endIndex
        let authority = try HTTPAuthority(rest[..<end])
        try Self.requireTarget(rest[end...])
        let parts = rest[end...].split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(decoding: parts.first ?? [], as: UTF8.self)
        self.init(
            scheme: scheme, host: authority.host, port: authority.port, path: path.isEmpty ? "/" : path,
            query: parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : nil)
    }

    init(scheme: Scheme, host: String, port: UInt16?, path: String, query: String?) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
    }

    /// The whole URL.
    public var text: String {
        let target = query.map { path + "?" + $0 } ?? path
        return scheme.rawValue + "://" + authority + target
    }

    /// Host and port as in a URL: IPv6 in brackets, the port only if given.
    public var authority: String { port.map { "\(hostText):\($0)" } ?? hostText }

    /// The host as in a URL: IPv6 in brackets.
    public var hostText: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }

    /// Whether the host is an IPv4 or IPv6 address.
    public var isAddress: Bool { IPAddress(host) != nil }

    /// The same URL without its port, when that is the default one.
    public var withoutDefaultPort: HTTPURL {
        port == scheme.defaultPort ? HTTPURL(scheme: scheme, host: host, port: nil, path: path, query: query) : self
    }

    /// The same URL at a host one label below.
    ///
    /// - Parameter label: 1 to 63 of `a-z 0-9 - _`; not checked.
    public func below(label: String) -> HTTPURL {
        HTTPURL(scheme: scheme, host: "\(label).\(host)", port: port, path: path, query: query)
    }

    /// Whether the host is a Tor onion service.
    public var isOnion: Bool {
        host.hasSuffix(".onion")
    }

    /// Whether the host is the local machine: `localhost`, 127.0.0.0/8 or ::1.
    public var isLoopback: Bool {
        host == "localhost" || IPAddress(host)?.isLoopback == true
    }

    /// The same as `text`.
    public var description: String { text }

    private static func scheme(of characters: [UInt8]) throws(URLFault) -> (Scheme, Int) {
        for scheme in [Scheme.https, .http] {
            let prefix = Array((scheme.rawValue + "://").utf8)
            guard characters.count >= prefix.count else { continue }
            let isPrefix = zip(prefix, characters).allSatisfy { expected, found in
                expected == found || expected == found | 0x20 && found >= UInt8(ascii: "A")
            }
            if isPrefix { return (scheme, prefix.count) }
        }
        throw .unknownScheme
    }

    private static func endsAuthority(_ character: UInt8) -> Bool {
        character == UInt8(ascii: "/") || character == UInt8(ascii: "?") || character == UInt8(ascii: "#")
    }

    private static func requireTarget(_ target: ArraySlice<UInt8>) throws(URLFault) {
        for index in target.indices where !isTargetCharacter(target[index]) {
            throw target[index] == UInt8(ascii: "#") ? .fragment : .invalidCharacter(at: index)
        }
    }

    /// The characters allowed in a path or query: RFC 3986 and the square brackets that forms use in names.
    static func isTargetCharacter(_ character: UInt8) -> Bool {
        targetCharacters[Int(character)]
    }

    private static let targetCharacters: [Bool] = {
        let excluded = Set("\"#<>\\^`{|}".utf8)
        return (0...255).map { (0x21...0x7e).contains($0) && !excluded.contains(UInt8($0)) }
    }()
}

extension HTTPURL {
    /// The query decoded like a form: `+` is a space; order is kept. What cannot be decoded is kept as written.
    public var queryItems: [(name: String, value: String)] {
        (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map { item in
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(Substring(parts[0])), parts.count == 2 ? Self.decoded(Substring(parts[1])) : "")
        }
    }

    /// The URL with items appended to its query, percent-encoded, in order.
    public func appendingQuery(_ items: [(name: String, value: String)]) -> HTTPURL {
        guard !items.isEmpty else { return self }
        let added = items.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
        let present = query.flatMap { $0.isEmpty ? nil : $0 }.map { [$0] } ?? []
        return HTTPURL(
            scheme: scheme, host: host, port: port, path: path, query: (present + added).joined(separator: "&"))
    }

    /// The URL with a suffix appended to its path, separated by one `/`. Characters not allowed in a path are
    /// percent-encoded; `/` and `%` are kept.
    public func appendingPath(_ suffix: String) -> HTTPURL {
        let base = path.hasSuffix("/") ? path.dropLast() : path[...]
        let added = PercentEncoding.encode(suffix.begins(with: "/") ? String(suffix.utf8.dropFirst()) ?? "" : suffix) {
            character in
            Self.isTargetCharacter(character) && character != UInt8(ascii: "?")
        }
        return HTTPURL(scheme: scheme, host: host, port: port, path: base + "/" + added, query: query)
    }

    private static func decoded(_ text: Substring) -> String {
        do {
            return try PercentEncoding.decode(text, plusIsSpace: true)
        } catch {
            return String(text)
        }
    }
}

/// The rule of `HTTPURL` that a text breaks.
public enum URLFault: Error, NamedRule, Hashable, Sendable {
    /// Neither `http://` nor `https://`.
    case unknownScheme
    /// A name or password before the host.
    case userInfo
    /// The host is missing.
    case emptyHost
    /// Neither a valid host name nor an address.
    case invalidHost
    /// A non-ASCII character; international names must be written in Punycode.
    case notASCII
    /// Not a decimal number from 1 to 65535 without leading zeros.
    case invalidPort
    /// A `#`: a server never sees what follows it.
    case fragment
    /// A character not allowed in a path or query, at an offset in characters.
    case invalidCharacter(at: Int)
    /// More than `HTTPURL.maximumLength` characters.
    case tooLong

    /// What is wrong, worded to follow the URL's name: "it has no host".
    public var reason: String {
        switch self {
        case .unknownScheme: "it begins with neither https:// nor http://"
        case .userInfo: "it carries a user name"
        case .emptyHost: "it has no host"
        case .invalidHost: "its host is not a host name or address"
        case .notASCII: "it has non-ASCII characters"
        case .invalidPort: "its port is not a number from 1 to 65535"
        case .fragment: "it has a fragment, after #"
        case .invalidCharacter(let offset): "character \(offset + 1) is invalid"
        case .tooLong: "it is too long"
        }
    }

    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .notASCII, .tooLong: "url-" + caseName
        case .invalidCharacter: "invalid-url-character"
        default: caseName
        }
    }
}
