public import LNURL

/// What one version of an account shows payers; their later requests are checked against it.
public struct AccountVersion: Hashable, Sendable {
    /// Counts from 1.
    public let number: UInt64
    /// The metadata string (LUD-06).
    public let metadata: String
    /// What payers are asked about themselves (LUD-18), without a challenge.
    public let payerData: PayerDataSpec

    /// Creates a version.
    public init(number: UInt64, metadata: String, payerData: PayerDataSpec) {
        self.number = number
        self.metadata = metadata
        self.payerData = payerData
    }
}

extension Account {
    /// The current version.
    public var currentVersion: AccountVersion {
        AccountVersion(number: version, metadata: metadata, payerData: settings.payerData)
    }
}
