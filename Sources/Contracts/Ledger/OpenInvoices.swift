public import LightningCoding

/// The invoices of an account that can still be paid.
public struct OpenInvoices: Hashable, Sendable {
    /// How many there are; counting stops at the limit.
    public let count: UInt64
    /// When the first of them expires; nil when there are none.
    public let nextExpiry: UnixTime?

    /// Creates a value.
    public init(count: UInt64, nextExpiry: UnixTime?) {
        self.count = count
        self.nextExpiry = nextExpiry
    }
}
