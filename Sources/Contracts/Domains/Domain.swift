public import LNURL
public import LightningCoding

/// A domain with accounts.
public struct Domain: Hashable, Sendable {
    /// Where payers reach it.
    public let publicURL: PublicURL
    /// The operator's settings.
    public let settings: DomainSettings
    /// Whether it is the domain of the service's own public URL, whose accounts may be named without it.
    public let isMain: Bool

    /// Creates a domain.
    public init(publicURL: PublicURL, settings: DomainSettings = DomainSettings(), isMain: Bool = false) {
        self.publicURL = publicURL
        self.settings = settings
        self.isMain = isMain
    }

    /// Its name.
    public var name: DomainName { publicURL.domain }

    /// Where the URLs of one of its accounts begin.
    public func base(of name: AddressName) -> HTTPURL { publicURL.base(of: name.text) }

    /// The name of one of its accounts in addresses and URLs: `_` where the account has a host of its own.
    public func shownName(of name: AddressName) -> AddressName { self.name.isWildcard ? .root : name }

    /// The Lightning address of one of its accounts: `alice@example.com`, `_@alice.example.com`.
    public func address(of name: AddressName) -> LightningAddress {
        LightningAddress(LocalPart(name: shownName(of: name)), at: base(of: name))
    }
}
