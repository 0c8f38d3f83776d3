public import Bolt12
public import LNURL
public import LightningCoding
public import LightningCrypto

/// An offer of ours that people may ask invoices for.
public struct IssuedOffer: Hashable, Sendable {
    /// The offer.
    public let offer: Offer
    /// The account that is paid.
    public let account: AddressName
    /// Where its key comes from.
    public let origin: Origin
    /// The node that made it and answers requests for it; nil for an offer of ours.
    public let maker: Maker?
    /// How many payments it is good for; nil for any number.
    public let maximumPayments: UInt64?
    /// When it was made or imported.
    public let createdAt: UnixTime
    /// When it was switched off; nil while it is on.
    public var disabledAt: UnixTime?
    /// When the node that made it was seen to have switched it off, too; nil while it goes on answering requests for it.
    public var disabledAtNodeAt: UnixTime?

    /// A node that makes offers itself.
    public struct Maker: Hashable, Sendable {
        /// The name under which it was configured.
        public let backend: BackendName
        /// Its id, by which another node behind that name is found out.
        public let nodeID: PublicKey

        /// Names a node.
        public init(backend: BackendName, nodeID: PublicKey) {
            self.backend = backend
            self.nodeID = nodeID
        }
    }

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
    ///
    /// - Parameter maker: kept for an offer of a node's own only.
    public init(
        offer: Offer,
        account: AddressName,
        origin: Origin,
        maker: Maker? = nil,
        maximumPayments: UInt64? = nil,
        createdAt: UnixTime,
        disabledAt: UnixTime? = nil,
        disabledAtNodeAt: UnixTime? = nil
    ) {
        self.offer = offer
        self.account = account
        self.origin = origin
        self.maker = origin == .node ? maker : nil
        self.maximumPayments = maximumPayments
        self.createdAt = createdAt
        self.disabledAt = disabledAt
        self.disabledAtNodeAt = disabledAtNodeAt
    }
}
