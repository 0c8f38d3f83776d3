import LightningCoding

/// How requests leave: directly, or through a proxy given here. The environment is ignored.
package enum Proxy: Hashable, Sendable, CustomStringConvertible {
    case none
    /// A SOCKS 5 proxy that also resolves names (`socks5h`), so that none is looked up locally.
    case socks5(host: String, port: UInt16)
    /// An HTTP proxy, used with CONNECT for https.
    case http(host: String, port: UInt16)

    package static let tor = Proxy.socks5(host: "127.0.0.1", port: 9050)

    /// Parses `socks5h://host:port` or `http://host:port`.
    ///
    /// Plain `socks5` is refused because it resolves names locally, which would reveal a Tor user's destinations.
    package init?(_ text: String) {
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

    /// In the syntax of ``init(_:)``; empty for none.
    package var description: String { text }

    /// The proxy in libcurl's syntax; the empty string also disables the environment's proxy.
    var text: String {
        switch self {
        case .none: ""
        case .socks5(let host, let port): "socks5h://\(ListenAddress(host: host, port: port))"
        case .http(let host, let port): "http://\(ListenAddress(host: host, port: port))"
        }
    }
}
