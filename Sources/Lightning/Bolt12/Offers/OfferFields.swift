public import BlindedPaths
public import LightningCoding
public import LightningCrypto

/// The fields of an offer (BOLT 12, "TLV Fields for Offers"); nil for one that is absent.
public struct OfferFields: Equatable, Sendable {
    /// The chains on which invoices may be paid; bitcoin by default.
    public var chains: [ChainHash]?
    /// For the issuer's own use, for instance an authentication of the other fields.
    public var metadata: [UInt8]?
    /// The ISO 4217 code of the currency of `amount`; the chain's own unit when absent.
    public var currency: String?
    /// Per item, in msat or in the smallest unit of `currency`; any amount when absent.
    public var amount: UInt64?
    /// What the payment is for.
    public var description: String?
    /// None is defined.
    public var features: FeatureBits?
    /// The last second at which an invoice may be requested.
    public var absoluteExpiry: UnixTime?
    /// Paths to the issuer, one of which a request must take.
    public var paths: [BlindedPath]?
    /// The issuer of the offer: `user@domain` or `domain`, optionally followed by a space and more.
    public var issuer: String?
    /// The most items of one invoice, 0 for no limit; when absent, a request states no quantity.
    public var quantityMax: UInt64?
    /// The key that signs invoices; when absent, the last blinded node id of the path used.
    public var issuerID: PublicKey?

    /// Creates empty fields.
    public init() {}
}

extension Namespace<OfferFields> {
    /// `tlv_stream`: `offer`
    static let offer = Namespace(rows: [
        Row(2, "offer_chains", \.chains, .chains),
        Row(4, "offer_metadata", \.metadata, .bytes),
        Row(6, "offer_currency", \.currency, .utf8),
        Row(8, "offer_amount", \.amount, .truncated),
        Row(10, "offer_description", \.description, .utf8),
        Row(12, "offer_features", \.features, .features),
        Row(14, "offer_absolute_expiry", \.absoluteExpiry, .seconds),
        Row(16, "offer_paths", \.paths, .blindedPaths),
        Row(18, "offer_issuer", \.issuer, .utf8),
        Row(20, "offer_quantity_max", \.quantityMax, .truncated),
        Row(22, "offer_issuer_id", \.issuerID, .point),
    ])
}
