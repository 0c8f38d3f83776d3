import LightningCoding

/// How requests leave: straight, or through a proxy named here. The environment is never asked.
public enum Proxy: Hashable, Sendable, CustomStringConvertible {
    /// Straight to the host.
    case none
    /// A SOCKS 5 proxy that also resolves the names (`socks5h`), so that none is looked up here.
    case socks5(host: String, port: UInt16)
    /// An HTTP proxy, asked to CONNECT for https.
    case http(host: String, port: UInt16)

    /// Tor's usual port on this machine.
    public static let tor = Proxy.socks5(host: "127.0.0.1", port: 9050)

    /// Reads `socks5h://host:port` or `http://host:port`; nothing else is a proxy.
    ///
    /// Plain `socks5` is refused because it looks names up here, which tells the resolver where a Tor user goes.
    public init?(_ text: String) {
        let schemes: [(String, (String, UInt16) -> Proxy)] = [
            ("socks5h://", { .socks5(host: $0, port: $1) }), ("http://", { .http(host: $0, port: $1) }),
        ]
        for (prefix, make) in schemes where text.lowercased().hasPrefix(prefix) {
            let authority = text.dropFirst(prefix.count)
            guard let address = try? ListenAddress(authority), address.port > 0 else { return nil }
            self = make(address.host, address.port)
            return
        }
        return nil
    }

    /// As ``init(_:)`` reads it; empty for none.
    public var description: String { text }

    /// The proxy as libcurl reads it; the empty string also switches off what the environment says.
    var text: String {
        switch self {
        case .none: ""
        case .socks5(let host, let port): "socks5h://\(ListenAddress(host: host, port: port))"
        case .http(let host, let port): "http://\(ListenAddress(host: host, port: port))"
        }
    }
}
