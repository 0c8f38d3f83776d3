public import LightningCoding
public import LightningCrypto

/// What an operator decides for all accounts.
public struct ResponderSettings: Sendable {
    /// Where payers reach us, without a trailing slash: the only source of every URL that we give out.
    public var publicURL: HTTPURL
    /// What an invoice with payer data commits to.
    public var payerDataCommitment: PayerDataCommitment
    /// Seconds for which a node's limits are reused, at most a day. Who the node is, its height and its peers are asked for anew
    /// after 5 seconds at the latest.
    public var limitsLifetime: UInt64
    /// How many invoices of one account may be open, neither paid nor expired, at once; nil for any number.
    public var maximumOpenInvoices: UInt64?
    /// Keys the HMAC in every challenge (LUD-18 `k1`).
    public var challengeKey: SecretBytes

    /// What an invoice with payer data commits to (LUD-18).
    public enum PayerDataCommitment: String, CaseIterable, Sendable {
        /// SHA-256 of the metadata followed by the payer data as received: the older text of LUD-18, which strict wallets
        /// check and lenient ones ignore.
        case metadataAndPayerData = "metadata-and-payer-data"
        /// SHA-256 of the metadata alone.
        case metadata
    }

    static let longestLimitsLifetime: UInt64 = 86_400
    static let nodeLifetime: UInt64 = 5

    /// Creates settings.
    public init(
        publicURL: HTTPURL,
        challengeKey: SecretBytes,
        payerDataCommitment: PayerDataCommitment = .metadataAndPayerData,
        limitsLifetime: UInt64 = 5,
        maximumOpenInvoices: UInt64? = nil
    ) {
        self.publicURL = publicURL
        self.challengeKey = challengeKey
        self.payerDataCommitment = payerDataCommitment
        self.limitsLifetime = limitsLifetime
        self.maximumOpenInvoices = maximumOpenInvoices
    }
}
