public import Bolt12
public import LNURL
public import LightningCoding

/// An offer of ours that people may ask invoices for.
public struct IssuedOffer: Hashable, Sendable {
    /// The offer.
    public let offer: Offer
    /// The account that is paid.
    public let account: AddressName
    /// Where its key comes from.
    public let origin: Origin
    /// How many payments it is good for; nil for any number.
    public let maximumPayments: UInt64?
    /// When it was made or imported.
    public let createdAt: UnixTime
    /// When it was switched off; nil while it is on.
    public var disabledAt: UnixTime?

    /// Where the key comes from that signs invoices for an offer.
    public enum Origin: String, CaseIterable, Hashable, Sendable {
        /// From our offer seed.
        case issued
        /// From a key file that was imported with the offer.
        case imported
        /// The node made the offer and answers requests for it itself.
        case node
    }

    /// Creates a record.
    public init(
        offer: Offer,
        account: AddressName,
        origin: Origin,
        maximumPayments: UInt64? = nil,
        createdAt: UnixTime,
        disabledAt: UnixTime? = nil
    ) {
        self.offer = offer
        self.account = account
        self.origin = origin
        self.maximumPayments = maximumPayments
        self.createdAt = createdAt
        self.disabledAt = disabledAt
    }
}
