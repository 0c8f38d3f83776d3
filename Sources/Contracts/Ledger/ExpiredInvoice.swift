public import LightningCoding
public import LightningCrypto

/// An invoice that expired unpaid, as far as the ledger knows.
public struct ExpiredInvoice: Hashable, Sendable {
    /// The payment hash.
    public let paymentHash: PaymentHash
    /// When it was issued.
    public let createdAt: UnixTime
    /// The first moment at which it could no longer be paid.
    public let expiresAt: UnixTime
    /// Its position in the list.
    public let mark: Mark

    /// Creates a record.
    public init(paymentHash: PaymentHash, createdAt: UnixTime, expiresAt: UnixTime, mark: Mark) {
        self.paymentHash = paymentHash
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.mark = mark
    }

    /// A position in a ledger's list of expired invoices that stays valid while invoices are added and deleted.
    public struct Mark: Hashable, Sendable {
        /// The ledger's own id of the account.
        public let account: Int64
        /// The expiry of the invoice.
        public let expiresAt: UnixTime
        /// The ledger's own id of the invoice.
        public let position: Int64

        /// Creates a mark.
        public init(account: Int64, expiresAt: UnixTime, position: Int64) {
            self.account = account
            self.expiresAt = expiresAt
            self.position = position
        }
    }
}
