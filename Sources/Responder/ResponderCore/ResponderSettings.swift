package import LightningCrypto

package struct ResponderSettings: Sendable {
    package var payerDataCommitment: PayerDataCommitment
    /// Seconds for which a node's limits are cached, at most a day. Its id, height and peers are cached for at most 5
    /// seconds.
    package var limitsLifetime: UInt64
    /// The maximum number of open invoices per account, neither paid nor expired; nil means unlimited.
    package var maximumOpenInvoices: UInt64?
    /// The key of the HMAC in every challenge (LUD-18 `k1`).
    package var challengeKey: SecretBytes
    /// Whether to query the node about invoices that are not settled in the ledger: for processes that run without a
    /// settlement follower.
    package var asksNode: Bool

    /// What an invoice with payer data commits to (LUD-18).
    package enum PayerDataCommitment: String, CaseIterable, Sendable {
        /// SHA-256 of the metadata followed by the payer data as received: the older text of LUD-18, which strict wallets
        /// check and lenient ones ignore.
        case metadataAndPayerData = "metadata-and-payer-data"
        /// SHA-256 of the metadata alone.
        case metadata
    }

    static let longestLimitsLifetime: UInt64 = 86_400
    static let nodeLifetime: UInt64 = 5

    package init(
        challengeKey: SecretBytes,
        payerDataCommitment: PayerDataCommitment = .metadataAndPayerData,
        limitsLifetime: UInt64 = 5,
        maximumOpenInvoices: UInt64? = nil,
        asksNode: Bool = false
    ) {
        self.challengeKey = challengeKey
        self.payerDataCommitment = payerDataCommitment
        self.limitsLifetime = limitsLifetime
        self.maximumOpenInvoices = maximumOpenInvoices
        self.asksNode = asksNode
    }
}
