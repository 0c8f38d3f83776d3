package import LightningCoding
package import OutboundHTTP

/// Which reply URLs replies may be posted to.
///
/// A reply URL comes from outside and must not make us call services that only we can reach (server-side request
/// forgery). The URL is checked before anything is sent; the client checks the addresses of its host again on each
/// connection.
package struct ReplyPolicy: Hashable, Sendable {
    /// Allowed hosts, including their subdomains; `nil` allows any host of the public internet.
    package var allowedHosts: [HostSuffix]?
    package var allowedPorts: Set<UInt16>
    /// The proxy for replies. Its own address is trusted and not checked.
    package var proxy: Proxy
    /// Whether loopback addresses are allowed, over plain http and on any port: for development.
    package var allowsLoopback: Bool

    /// Creates a policy. The default allows any public host over https on port 443.
    package init(
        allowedHosts: [HostSuffix]? = nil, allowedPorts: Set<UInt16> = [], proxy: Proxy = .none,
        allowsLoopback: Bool = false
    ) {
        self.allowedHosts = allowedHosts
        self.allowedPorts = allowedPorts
        self.proxy = proxy
        self.allowsLoopback = allowsLoopback
    }

    package func url(_ text: String) throws(ReplyURLFault) -> HTTPURL {
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

package enum ReplyURLFault: Error, Hashable, Sendable {
    /// It is not a strictly valid URL: it may contain a user name or password, for instance.
    case url(URLFault)
    /// Plain http, which is allowed only for `.onion` and, where enabled, for loopback.
    case clearnetHTTP
    case port(UInt16)
    case hostNotListed
    /// Through a proxy, where addresses cannot be checked, only listed hosts are allowed, and none is listed.
    case hostNotListedBehindProxy
    case onionNotListed
    case onionWithoutProxy
    case address(AddressClass)
    case resolvedAddress
}
