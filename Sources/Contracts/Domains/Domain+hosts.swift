public import LNURL

extension Domain {
    /// Its name and its aliases.
    public var hosts: [DomainName] { [name] + settings.aliases }

    /// The hosts at which one of its accounts alone is reached: one below each wildcard.
    public func ownHosts(of name: AddressName) -> [String] {
        hosts.filter(\.isWildcard).map { name.text + $0.text.dropFirst() }
    }
}

extension DomainSettings {
    /// The settings of a domain that is renamed: its former name becomes an alias, while there is room for one.
    public func renamed(from former: DomainName, to name: DomainName) -> DomainSettings {
        guard former != name else { return self }
        var settings = self
        settings.aliases.removeAll { $0 == name || $0 == former }
        if settings.aliases.count < Self.maximumCount { settings.aliases.append(former) }
        return settings
    }
}
