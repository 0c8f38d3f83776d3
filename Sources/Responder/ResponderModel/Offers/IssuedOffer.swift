package import Bolt12
package import LightningCoding
package import LightningCrypto

package struct IssuedOffer: Hashable, Sendable {
    package let offer: Offer
    package let account: AccountID
    package let origin: Origin
    /// The node that made it and answers requests for it; nil for an offer of ours.
    package let maker: Maker?
    /// The maximum number of payments; nil means unlimited.
    package let maximumPayments: UInt64?
    package let createdAt: UnixTime
    /// When it was disabled; nil while it is enabled.
    package var disabledAt: UnixTime?
    /// When the node that made it was seen to have disabled it too; nil while the node still answers requests for it.
    package var disabledAtNodeAt: UnixTime?

    package struct Maker: Hashable, Sendable {
        package let backend: BackendName
        /// Its id, which shows when another node takes over that name.
        package let nodeID: PublicKey

        package init(backend: BackendName, nodeID: PublicKey) {
            self.backend = backend
            self.nodeID = nodeID
        }
    }

    package enum Origin: String, CaseIterable, Hashable, Sendable {
        /// Our offer seed.
        case issued
        /// A key file that was imported with the offer.
        case imported
        /// The node, which made the offer and answers requests for it itself.
        case node
    }

    /// - Parameter maker: ignored unless the origin is `node`.
    package init(
        offer: Offer,
        account: AccountID,
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
