package import LNURL
package import LightningCoding

/// A Lightning address that we answer for, in its current version.
package struct Account: Hashable, Sendable {
    /// The local part of the address, in lower case, unless the domain is a wildcard.
    package let name: AddressName
    package let domain: Domain
    /// The version shown to payers, from 1. A change of `metadata` or of `payerData` makes a new version.
    package let version: UInt64
    /// The metadata string (LUD-06), built once per version; these exact bytes are served and hashed.
    package let metadata: String
    package let settings: AccountSettings
    package let createdAt: UnixTime

    package init(
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

    package var id: AccountID { AccountID(name, at: domain.name) }

    /// Its shortest unique name: `alice` in the main domain, `alice@example.org` in others. It does not change with the
    /// public URL.
    package var label: String { domain.isMain ? name.text : id.text }

    package var address: LightningAddress { domain.address(of: name) }
}

/// What one version of an account shows payers; their later requests are checked against it.
package struct AccountVersion: Hashable, Sendable {
    /// Counts from 1.
    package let number: UInt64
    package let metadata: String
    /// What payers are asked about themselves (LUD-18), without a challenge.
    package let payerData: PayerDataSpec

    package init(number: UInt64, metadata: String, payerData: PayerDataSpec) {
        self.number = number
        self.metadata = metadata
        self.payerData = payerData
    }
}

extension Account {
    package var currentVersion: AccountVersion {
        AccountVersion(number: version, metadata: metadata, payerData: settings.payerData)
    }
}
