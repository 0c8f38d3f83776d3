public import LightningCoding
public import LightningCrypto

/// What a new offer shall say.
public struct OfferTerms: Hashable, Sendable {
    /// For one item, in msat; nil for any amount.
    public var amount: Millisatoshi?
    /// What the payment is for; wanted where there is an amount.
    public var description: String?
    /// Who issues it.
    public var issuer: String?
    /// The most items in one invoice, 0 for no limit; nil when there are no items to count.
    public var quantityMax: UInt64?
    /// The last second at which invoices may be requested.
    public var absoluteExpiry: UnixTime?
    /// How many payments it is good for; nil for any number.
    public var maximumPayments: UInt64?
    /// How it is reached and who signs.
    public var way: Way
    /// Whether the account's node may answer in its own way instead, because nobody chose this one.
    public var mayTakeOtherWay = false

    /// How requests for an offer come to us.
    public enum Way: Hashable, Sendable {
        /// To the offer's own key, `offer_issuer_id`.
        case issuerID
        /// Over blinded paths that begin at nodes which know us, the preferred one first; 1 to `OfferIssuer.maximumPaths`. The
        /// offer names its own key beside them, or none: the last blinded id of the path that is taken then signs.
        case introductions([PublicKey], withIssuerID: Bool)

        /// Over one path.
        public static func introduction(_ node: PublicKey, withIssuerID: Bool) -> Way {
            .introductions([node], withIssuerID: withIssuerID)
        }
    }

    /// Terms without any limit.
    public init(description: String? = nil, amount: Millisatoshi? = nil, way: Way = .issuerID) {
        self.description = description
        self.amount = amount
        self.way = way
    }
}
