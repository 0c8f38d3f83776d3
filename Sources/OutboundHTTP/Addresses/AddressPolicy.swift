public import LightningCoding

/// Where a client may connect to.
///
/// A URL that an outsider gave must not reach this machine's own network (server-side request forgery). Names prove
/// nothing, so every *resolved* address is judged at the moment at which its socket is opened, on each connection.
public struct AddressPolicy: Hashable, Sendable {
    /// Which classes of address may be connected to.
    public enum Scope: Hashable, Sendable {
        /// All of them.
        case any
        /// Ordinary addresses of the internet only.
        case publicOnly
        /// Ordinary addresses and this machine, for development.
        case publicAndLoopback
    }

    /// Which addresses may be connected to.
    public var scope: Scope
    /// Which hosts may be asked; `nil` means all. Through a proxy no address can be judged, so that a scope other than
    /// ``Scope/any`` then asks for this list.
    public var hosts: [HostSuffix]?

    /// Makes a policy.
    public init(scope: Scope, hosts: [HostSuffix]? = nil) {
        self.scope = scope
        self.hosts = hosts
    }

    /// Everything: for URLs that the user typed.
    public static let any = AddressPolicy(scope: .any)
    /// The public internet: for URLs that an outsider gave.
    public static let publicOnly = AddressPolicy(scope: .publicOnly)

    /// Whether a socket to this address may be opened.
    public func permits(_ address: IPAddress) -> Bool {
        switch (scope, address.addressClass) {
        case (.any, _), (_, .global), (.publicAndLoopback, .loopback): true
        default: false
        }
    }

    /// Whether this host may be asked at all.
    func permits(host: String, through proxy: Proxy) -> Bool {
        if let hosts { return hosts.contains { $0.covers(host) } }
        return proxy == .none || scope == .any
    }
}

/// A domain and everything below it, by whole labels: `example.com` covers `pay.example.com`, not `badexample.com`.
public struct HostSuffix: Hashable, Sendable, CustomStringConvertible {
    private let domain: String

    /// Takes a domain, or a numeric address, which covers only itself. A leading dot means the same as none.
    public init?(_ domain: String) {
        let bare = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
        guard !bare.isEmpty, !bare.hasPrefix("."), !bare.contains("/") else { return nil }
        self.domain = bare.lowercased()
    }

    /// The domain in lower case, without a leading dot.
    public var description: String { domain }

    /// Whether the host, written without brackets, is the domain or lies below it.
    public func covers(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == domain { return true }
        return IPAddress(host) == nil && host.hasSuffix("." + domain)
    }
}
