public import LNURL
public import LightningCoding

/// A Lightning address that we answer for, as it stands now.
public struct Account: Hashable, Sendable {
    /// The local part of the address, in lower case.
    public let name: AddressName
    /// Counts what payers were shown, from 1: a new text of `metadata` is a new version, and so is another `payerData`.
    public let version: UInt64
    /// The metadata string (LUD-06), built once for this version: served and hashed as these bytes.
    public let metadata: String
    /// What its owner has set.
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
