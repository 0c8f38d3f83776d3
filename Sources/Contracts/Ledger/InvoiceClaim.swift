public import Bolt12
public import LightningCoding

/// What an invoice consumes, stored in the same transaction, so that it can be used only once.
public enum InvoiceClaim: Hashable, Sendable {
    /// A challenge (LUD-18 `k1`) that a payer has answered.
    case challenge(UsedChallenge)
    /// An offer, by a request for it.
    case offer(OfferClaim)
    /// A request that may be repeated and then gets the same invoice while that can be paid.
    case request(RequestDigest)
}

/// A challenge (LUD-18 `k1`) that a payer has answered; valid for one invoice.
public struct UsedChallenge: Hashable, Sendable {
    /// Its 32 bytes.
    public let bytes: [UInt8]
    /// From when on it would be rejected anyway and may be deleted.
    public let expiresAt: UnixTime

    /// Creates a record.
    public init(bytes: [UInt8], expiresAt: UnixTime) {
        self.bytes = bytes
        self.expiresAt = expiresAt
    }
}

/// A request for an offer.
public struct OfferClaim: Hashable, Sendable {
    /// The requested offer.
    public let offer: OfferID
    /// Identifies a repeated request; nil when the same invoice must not be issued twice, as for an offer without
    /// issuer id (BOLT 12, "Requirements for Invoice Requests").
    public let request: RequestDigest?

    /// How long an expired unpaid invoice still counts as one of an offer's payments, in seconds: it may have been paid
    /// at the last moment, or the node's clock may be behind.
    public static let grace: UInt64 = 600

    /// Creates a claim.
    public init(offer: OfferID, request: RequestDigest?) {
        self.offer = offer
        self.request = request
    }
}
