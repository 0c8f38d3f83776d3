public import LightningCoding
public import OutboundHTTP

/// Which reply URLs replies may be posted to.
///
/// A reply URL comes from outside and must not make us call services that only we can reach (server-side request
/// forgery). The URL is checked before anything is sent; the client checks the addresses of its host again on each
/// connection.
public struct ReplyPolicy: Hashable, Sendable {
    /// Allowed hosts, including their subdomains; `nil` allows any host of the public internet.
    public var allowedHosts: [HostSuffix]?
    /// Allowed ports besides 443.
    public var allowedPorts: Set<UInt16>
    /// The proxy for replies. Its own address is trusted and not checked.
    public var proxy: Proxy
    /// Whether loopback addresses are allowed, over plain http and on any port: for development.
    public var allowsLoopback: Bool

    /// Creates a policy. The default allows any public host over https on port 443.
    public init(
        allowedHosts: [HostSuffix]? = nil, allowedPorts: Set<UInt16> = [], proxy: Proxy = .none,
        allowsLoopback: Bool = false
    ) {
        self.allowedHosts = allowedHosts
        self.allowedPorts = allowedPorts
        self.proxy = proxy
        self.allowsLoopback = allowsLoopback
    }

    /// Parses and checks a reply URL.
    public func url(_ text: String) throws(ReplyURLFault) -> HTTPURL {
        let url = try rethrowing(HTTPURL(text), as: ReplyURLFault.url)
        if url.isLoopback, allowsLoopback, proxy == .none { return url }
        try checkHost(of: url)
        guard url.scheme == .https || url.isOnion else { throw .clearnetHTTP }
        let usual: UInt16 = url.scheme == .https ? 443 : 80
        if let port = url.port, port != usual, !allowedPorts.contains(port) { throw .port(port) }
        return url
    }

    private func checkHost(of url: HTTPURL) throws(ReplyURLFault) {
        let isListed = allowedHosts.map { hosts in hosts.contains { $0.covers(url.host) } }
        if url.isOnion {
            guard isListed == true else { throw .onionNotListed }
            guard case .socks5 = proxy else { throw .onionWithoutProxy }
            return
        }
        // Well-known loopback names need no resolver.
        if url.isLoopback || url.host.hasSuffix(".localhost") { throw .address(.loopback) }
        if let address = IPAddress(url.host), address.addressClass != .global {
            throw .address(address.addressClass)
        }
        guard isListed != false else { throw .hostNotListed }
        guard isListed == true || proxy == .none else { throw .hostNotListedBehindProxy }
    }

    /// The same rules for the client, which checks every address when it connects.
    package var addressPolicy: AddressPolicy {
        let reachesLoopback = allowsLoopback && proxy == .none
        return AddressPolicy(
            scope: reachesLoopback ? .publicAndLoopback : .publicOnly, hosts: reachesLoopback ? nil : allowedHosts)
    }
}
