public import LightningCoding
public import OutboundHTTP

/// To which reply URLs replies are posted.
///
/// A reply URL comes from outside, and must not make us knock at doors that only we can reach (server-side request forgery). A
/// URL is judged here before anything is sent; the addresses to which its name leads are judged again by the client, when each
/// connection is made.
public struct ReplyPolicy: Hashable, Sendable {
    /// Hosts to which replies go, with all below them; `nil` means any host of the public internet.
    public var allowedHosts: [HostSuffix]?
    /// Ports beside 443.
    public var allowedPorts: Set<UInt16>
    /// Through what replies leave. A proxy's address is the operator's word and is not judged.
    public var proxy: Proxy
    /// Whether this machine may be posted to, by plain http and on any port: for development.
    public var allowsLoopback: Bool

    /// Any public host over https on port 443, unless said otherwise.
    public init(
        allowedHosts: [HostSuffix]? = nil, allowedPorts: Set<UInt16> = [], proxy: Proxy = .none,
        allowsLoopback: Bool = false
    ) {
        self.allowedHosts = allowedHosts
        self.allowedPorts = allowedPorts
        self.proxy = proxy
        self.allowsLoopback = allowsLoopback
    }

    /// Reads a reply URL and judges it.
    public func url(_ text: String) throws(ReplyURLFault) -> HTTPURL {
        let url: HTTPURL
        do throws(URLFault) {
            url = try HTTPURL(text)
        } catch {
            throw .url(error)
        }
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
        // Known names of this machine need no resolver to be known.
        if url.isLoopback || url.host.hasSuffix(".localhost") { throw .address(.loopback) }
        if let address = IPAddress(url.host), address.addressClass != .global {
            throw .address(address.addressClass)
        }
        guard isListed != false else { throw .hostNotListed }
        guard isListed == true || proxy == .none else { throw .hostNotListedBehindProxy }
    }

    /// The same rules for the client, which judges every address when it connects.
    var addressPolicy: AddressPolicy {
        let reachesLoopback = allowsLoopback && proxy == .none
        return AddressPolicy(
            scope: reachesLoopback ? .publicAndLoopback : .publicOnly, hosts: reachesLoopback ? nil : allowedHosts)
    }
}
