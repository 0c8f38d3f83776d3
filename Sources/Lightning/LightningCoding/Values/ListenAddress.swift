/// The address of a listener: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or address; an IPv6 address without brackets.
    public let host: String
    /// The TCP port; 0 lets the system choose a free one.
    public let port: UInt16

    /// Creates an address from parts known to be valid.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses `host:port`.
    ///
    /// - Throws: the fault of the host as in a URL; `URLFault.invalidPort` when the port is missing, not a number,
    ///   above 65535, or has a leading zero.
    public init(_ text: some StringProtocol) throws(URLFault) {
        guard let colon = text.lastIndex(of: ":") else { throw .invalidPort }
        let digits = text[text.index(after: colon)...]
        guard (1...5).contains(digits.count), digits.isDigits,
            digits.count == 1 || digits.first != "0", let port = UInt16(digits)
        else { throw .invalidPort }
        let url = try HTTPURL("http://\(text[..<colon])")
        // Only a host may precede the port, not another port.
        guard url.port == nil, url.authority == text[..<colon].lowercased() else { throw .invalidHost }
        host = url.host
        self.port = port
    }

    /// Whether only the local machine can reach it.
    public var isLoopback: Bool {
        (try? HTTPURL("http://\(bracketedHost)").isLoopback) ?? false
    }

    /// The address as text, with brackets around an IPv6 address.
    public var description: String {
        "\(bracketedHost):\(port)"
    }

    private var bracketedHost: String {
        host.contains(":") ? "[\(host)]" : host
    }
}
