package import LNURL
package import LightningCoding

package struct Domain: Hashable, Sendable {
    package let publicURL: PublicURL
    package let settings: DomainSettings
    /// Whether it is the domain of the service's own public URL, whose accounts may be named without it.
    package let isMain: Bool

    package init(publicURL: PublicURL, settings: DomainSettings = DomainSettings(), isMain: Bool = false) {
        self.publicURL = publicURL
        self.settings = settings
        self.isMain = isMain
    }

    package var name: DomainName { publicURL.domain }

    /// Where the URLs of one of its accounts begin.
    package func base(of name: AddressName) -> HTTPURL { publicURL.base(of: name.text) }

    /// The name of one of its accounts in addresses and URLs: `_` where the account has a host of its own.
    package func shownName(of name: AddressName) -> AddressName { self.name.isWildcard ? .root : name }

    /// The Lightning address of one of its accounts: `alice@example.com`, `_@alice.example.com`.
    package func address(of name: AddressName) -> LightningAddress {
        LightningAddress(LocalPart(name: shownName(of: name)), at: base(of: name))
    }
}

extension Domain {
    package var hosts: [DomainName] { [name] + settings.aliases }

    /// The hosts at which one of its accounts alone is reached: one below each wildcard.
    package func ownHosts(of name: AddressName) -> [String] {
        hosts.filter(\.isWildcard).map { name.text + $0.text.dropFirst() }
    }

    /// The name whose own host it is; nil for one that is not below a wildcard of this domain.
    package func owner(of host: DomainName) -> AddressName? {
        guard let dot = host.text.firstIndex(of: "."),
            hosts.contains(where: { $0.isWildcard && $0.text.dropFirst().isExactly(host.text[dot...]) })
        else { return nil }
        return try? AddressName(host.text[..<dot])
    }
}

extension DomainName {
    /// Whether it can be another host of a domain. An onion service can only be that of an onion service: its payers are
    /// sent on to the domain's own URLs.
    package func canBeAlias(of domain: DomainName) -> Bool { !isOnion || domain.isOnion }
}

extension DomainSettings {
    /// The settings of a domain that is renamed: its former name becomes an alias, if it can be one and
    /// fewer than the maximum number are there.
    package func renamed(from former: DomainName, to name: DomainName) -> DomainSettings {
        guard former != name else { return self }
        var settings = self
        settings.aliases.removeAll { $0 == name || $0 == former }
        if settings.aliases.count < Self.maximumCount { settings.aliases.append(former) }
        settings.aliases.removeAll { !$0.canBeAlias(of: name) }
        return settings
    }
}
