public import LNURL
public import LightningCoding

/// A Lightning address that we answer for, in its current version.
public struct Account: Hashable, Sendable {
    /// The local part of the address, in lower case.
    public let name: AddressName
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
        version: UInt64,
        metadata: String,
        settings: AccountSettings,
        createdAt: UnixTime
    ) {
        self.name = name
        self.version = version
        self.metadata = metadata
        self.settings = settings
        self.createdAt = createdAt
    }
}
