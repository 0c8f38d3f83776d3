public import LightningCoding
public import LightningCrypto

/// An invoice that was not paid as far as the ledger knows, and whose time is over.
public struct ExpiredInvoice: Hashable, Sendable {
    /// What identifies the payment.
    public let paymentHash: PaymentHash
    /// When it was given out.
    public let createdAt: UnixTime
    /// The first moment at which it could no longer be paid.
    public let expiresAt: UnixTime
    /// Its place in the list.
    public let mark: Mark

    /// Creates a record.
    public init(paymentHash: PaymentHash, createdAt: UnixTime, expiresAt: UnixTime, mark: Mark) {
        self.paymentHash = paymentHash
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.mark = mark
    }

    /// A place in a ledger's list of expired invoices, which stays valid while invoices come and go.
    public struct Mark: Hashable, Sendable {
        /// The ledger's own number of the account.
        public let account: Int64
        /// The end of the invoice's time.
        public let expiresAt: UnixTime
        /// The ledger's own number of the invoice.
        public let position: Int64

        /// Creates a mark.
        public init(account: Int64, expiresAt: UnixTime, position: Int64) {
            self.account = account
            self.expiresAt = expiresAt
            self.position = position
        }
    }
}
