package import LightningCoding

/// The addresses a client may connect to.
///
/// A URL from outside must not reach internal networks (server-side request forgery). Names prove nothing, so every
/// *resolved* address is checked when its socket is opened, on each connection.
package struct AddressPolicy: Hashable, Sendable {
    package enum Scope: Hashable, Sendable {
        case any
        /// Public addresses only.
        case publicOnly
        /// Public addresses and loopback, for development.
        case publicAndLoopback
    }

    package var scope: Scope
    /// The allowed hosts; `nil` for all. Behind a proxy, addresses cannot be checked, so any scope other than
    /// ``Scope/any`` requires this list.
    package var hosts: [HostSuffix]?

    package init(scope: Scope, hosts: [HostSuffix]? = nil) {
        self.scope = scope
        self.hosts = hosts
    }

    /// No restriction: for URLs chosen by the user or operator.
    package static let any = AddressPolicy(scope: .any)
    /// The public internet: for URLs from outside.
    package static let publicOnly = AddressPolicy(scope: .publicOnly)

    package func permits(_ address: IPAddress) -> Bool {
        switch (scope, address.addressClass) {
        case (.any, _), (_, .global), (.publicAndLoopback, .loopback): true
        default: false
        }
    }

    /// Whether requests to this host are allowed at all.
    func permits(host: String, through proxy: Proxy) -> Bool {
        if let hosts { return hosts.contains { $0.covers(host) } }
        return proxy == .none || scope == .any
    }
}

/// A domain and everything below it, by whole labels: `example.com` covers `pay.example.com`, not `badexample.com`.
package struct HostSuffix: Hashable, Sendable, CustomStringConvertible {
    private let domain: String

    /// Parses a domain, or a numeric address, which covers only itself. A leading dot is ignored.
    package init?(_ domain: String) {
        let bare = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
        guard !bare.isEmpty, !bare.hasPrefix("."), !bare.contains("/") else { return nil }
        self.domain = bare.lowercased()
    }

    /// The domain in lower case, without a leading dot.
    package var description: String { domain }

    /// Whether the host, without brackets, is the domain or a subdomain.
    package func covers(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == domain { return true }
        return IPAddress(host) == nil && host.hasSuffix("." + domain)
    }
}
