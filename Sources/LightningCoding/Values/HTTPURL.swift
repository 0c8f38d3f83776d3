/// An `http` or `https` URL, read strictly and kept as written.
///
/// Nothing is accepted that two readers may take apart in two ways (RFC 3986 without user info, fragments, percent
/// signs in the host, or other spellings of an IPv4 address than four decimal numbers): what is checked here is what a
/// client connects to.
public struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
    /// How the server is spoken to.
    public enum Scheme: String, Sendable {
        /// In the clear.
        case http
        /// Over TLS.
        case https
    }

    /// The longest text that is read, in characters. What is appended afterwards may make it longer.
    public static let maximumLength = 8192

    /// How the server is spoken to.
    public let scheme: Scheme
    /// A name or an address in lower case, without the brackets of IPv6.
    public let host: String
    /// The port, when one is written: 1 to 65535.
    public let port: UInt16?
    /// The path as written, percent signs and all; at least `/`.
    public let path: String
    /// What follows the `?`, as written.
    public let query: String?

    /// Reads an absolute URL. Throws the first rule that it breaks, from left to right.
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

    /// Host and port as they stand in a URL: IPv6 in brackets, the port only if it is written.
    public var authority: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return port.map { "\(name):\($0)" } ?? name
    }

    /// Whether the host is a Tor service.
    public var isOnion: Bool {
        host.hasSuffix(".onion")
    }

    /// Whether the host is this machine: `localhost`, 127.0.0.0/8 or ::1.
    public var isLoopback: Bool {
        host == "localhost" || HTTPAuthority.isLoopbackAddress(host)
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

    /// What may stand in a path or a query: RFC 3986 and the square brackets that forms put into names.
    static func isTargetCharacter(_ character: UInt8) -> Bool {
        targetCharacters[Int(character)]
    }

    private static let targetCharacters: [Bool] = {
        let excluded = Set("\"#<>\\^`{|}".utf8)
        return (0...255).map { (0x21...0x7e).contains($0) && !excluded.contains(UInt8($0)) }
    }()
}
