/// Where a listener waits for connections: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address; an IPv6 address without brackets.
    public let host: String
    /// The TCP port; 0 lets the system choose a free one.
    public let port: UInt16

    /// Creates an address of parts that are known to be right.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port`.
    ///
    /// - Throws: the fault of the host as in a URL; `URLFault.invalidPort` when the port is missing, no number, above 65535, or
    ///   begins with a zero that is not all of it.
    public init(_ text: some StringProtocol) throws(URLFault) {
        guard let colon = text.lastIndex(of: ":") else { throw .invalidPort }
        let digits = text[text.index(after: colon)...]
        guard (1...5).contains(digits.count), digits.isDigits,
            digits.count == 1 || digits.first != "0", let port = UInt16(digits)
        else { throw .invalidPort }
        let url = try HTTPURL("http://\(text[..<colon])")
        // Nothing but a host may stand before the port, not even another port.
        guard url.port == nil, url.authority == text[..<colon].lowercased() else { throw .invalidHost }
        host = url.host
        self.port = port
    }

    /// Whether only this machine can reach it.
    public var isLoopback: Bool {
        (try? HTTPURL("http://\(bracketedHost)").isLoopback) ?? false
    }

    /// The address as it is written, with brackets around an IPv6 address.
    public var description: String {
        "\(bracketedHost):\(port)"
    }

    private var bracketedHost: String {
        host.contains(":") ? "[\(host)]" : host
    }
}
