public import LNURL
public import LightningCoding

/// A Lightning address that we answer for, in its current version.
public struct Account: Hashable, Sendable {
    /// The local part of the address, in lower case, unless the domain is a wildcard.
    public let name: AddressName
    /// The domain that it belongs to.
    public let domain: Domain
    /// The version shown to payers, from 1. A change of `metadata` or of `payerData` makes a new version.
    public let version: UInt64
    /// The metadata string (LUD-06), built once per version; these exact bytes are served and hashed.
    public let metadata: String
    /// The owner's settings.
    public let settings: AccountSettings
    /// When it was first added.
    public let createdAt: UnixTime

    /// Creates an account.
    public init(
        name: AddressName,
        domain: Domain,
        version: UInt64,
        metadata: String,
        settings: AccountSettings,
        createdAt: UnixTime
    ) {
        self.name = name
        self.domain = domain
        self.version = version
        self.metadata = metadata
        self.settings = settings
        self.createdAt = createdAt
    }

    /// What identifies it.
    public var id: AccountID { AccountID(name, at: domain.name) }

    /// Its shortest unique name: `alice` in the main domain, `alice@example.org` in others. It does not change with the
    /// public URL.
    public var label: String { domain.isMain ? name.text : id.text }

    /// Its Lightning address.
    public var address: LightningAddress { domain.address(of: name) }
}
