public import LightningCoding

/// An order for one offer to a node that makes its own offers.
public struct OfferOrder: Hashable, Sendable {
    /// Unique per account and stable, so that the same account's offer is found again; safe to show.
    public let label: String
    /// What the payment is for.
    public let description: String
    /// The amount of one item, in msat; nil for any amount.
    public let amount: Millisatoshi?
    /// Who issues it.
    public let issuer: String?
    /// The maximum quantity in one invoice, 0 for no limit; nil when there are no items to count.
    public let quantityMax: UInt64?
    /// The last second at which invoices may be requested.
    public let absoluteExpiry: UnixTime?

    /// Creates an order.
    public init(
        label: String,
        description: String,
        amount: Millisatoshi? = nil,
        issuer: String? = nil,
        quantityMax: UInt64? = nil,
        absoluteExpiry: UnixTime? = nil
    ) {
        self.label = label
        self.description = description
        self.amount = amount
        self.issuer = issuer
        self.quantityMax = quantityMax
        self.absoluteExpiry = absoluteExpiry
    }
}
