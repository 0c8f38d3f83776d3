public import LightningCoding
public import LightningCrypto

/// The terms of a new offer.
public struct OfferTerms: Hashable, Sendable {
    /// The amount of one item, in msat; nil for any amount.
    public var amount: Millisatoshi?
    /// What the payment is for; required when there is an amount.
    public var description: String?
    /// Who issues it.
    public var issuer: String?
    /// The maximum quantity in one invoice, 0 for no limit; nil when there are no items to count.
    public var quantityMax: UInt64?
    /// The last second at which invoices may be requested.
    public var absoluteExpiry: UnixTime?
    /// The maximum number of payments; nil means unlimited.
    public var maximumPayments: UInt64?
    /// How requests arrive and which key signs.
    public var way: Way
    /// Whether the account's node may choose another way, because the caller did not choose this one.
    public var mayTakeOtherWay = false

    /// How requests for an offer reach us.
    public enum Way: Hashable, Sendable {
        /// To the offer's own key, `offer_issuer_id`.
        case issuerID
        /// Over blinded paths from introduction nodes, preferred first; 1 to `OfferIssuer.maximumPaths`. Without an
        /// issuer id, the last blinded id of the path used signs.
        case introductions([PublicKey], withIssuerID: Bool)

        /// Over one path.
        public static func introduction(_ node: PublicKey, withIssuerID: Bool) -> Way {
            .introductions([node], withIssuerID: withIssuerID)
        }
    }

    /// Creates terms without limits.
    public init(description: String? = nil, amount: Millisatoshi? = nil, way: Way = .issuerID) {
        self.description = description
        self.amount = amount
        self.way = way
    }
}
