public import Bolt12
public import LightningCoding

/// What an invoice uses up; written in the same breath as the invoice, so that it can be used once only.
public enum InvoiceClaim: Hashable, Sendable {
    /// A challenge (LUD-18 `k1`) that a payer has answered.
    case challenge(UsedChallenge)
    /// An offer, by a request for it.
    case offer(OfferClaim)
    /// A question that may come again, and then gets the same invoice as long as that can be paid.
    case request(RequestDigest)
}

/// A challenge (LUD-18 `k1`) that a payer has answered; it is good for one invoice.
public struct UsedChallenge: Hashable, Sendable {
    /// Its 32 bytes.
    public let bytes: [UInt8]
    /// From when on it would be refused anyway, and may be forgotten.
    public let expiresAt: UnixTime

    /// Creates a record.
    public init(bytes: [UInt8], expiresAt: UnixTime) {
        self.bytes = bytes
        self.expiresAt = expiresAt
    }
}

/// A request for an offer.
public struct OfferClaim: Hashable, Sendable {
    /// The offer that is asked for.
    public let offer: OfferID
    /// By what the request is recognised when it comes again; nil when the same invoice must not be given twice, as for an
    /// offer without issuer id (BOLT 12, "Requirements for Invoice Requests").
    public let request: RequestDigest?

    /// Seconds after its time for which an unpaid invoice still takes one of an offer's payments: it may have been paid in the last
    /// moment, or be payable a moment longer by the node's clock.
    public static let grace: UInt64 = 600

    /// Creates a claim.
    public init(offer: OfferID, request: RequestDigest?) {
        self.offer = offer
        self.request = request
    }
}
