public import LNURL
import LightningCoding

extension Domain {
    /// Its name and its aliases.
    public var hosts: [DomainName] { [name] + settings.aliases }

    /// The hosts at which one of its accounts alone is reached: one below each wildcard.
    public func ownHosts(of name: AddressName) -> [String] {
        hosts.filter(\.isWildcard).map { name.text + $0.text.dropFirst() }
    }

    /// The name whose own host it is; nil for one that is not below a wildcard of this domain.
    public func owner(of host: DomainName) -> AddressName? {
        guard let dot = host.text.firstIndex(of: "."),
            hosts.contains(where: { $0.isWildcard && $0.text.dropFirst().isExactly(host.text[dot...]) })
        else { return nil }
        return try? AddressName(host.text[..<dot])
    }
}

extension DomainName {
    /// Whether it can be another host of a domain. An onion service can only be that of an onion service: its payers are
    /// sent on to the domain's own URLs.
    public func canBeAlias(of domain: DomainName) -> Bool { !isOnion || domain.isOnion }
}

extension DomainSettings {
    /// The settings of a domain that is renamed: its former name becomes an alias, if it can be one and
    /// fewer than the maximum number are there.
    public func renamed(from former: DomainName, to name: DomainName) -> DomainSettings {
        guard former != name else { return self }
        var settings = self
        settings.aliases.removeAll { $0 == name || $0 == former }
        if settings.aliases.count < Self.maximumCount { settings.aliases.append(former) }
        settings.aliases.removeAll { !$0.canBeAlias(of: name) }
        return settings
    }
}
