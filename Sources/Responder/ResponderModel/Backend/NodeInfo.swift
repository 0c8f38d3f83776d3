package import BlindedPaths
package import LightningCoding
package import LightningCrypto

package struct NodeInfo: Hashable, Sendable {
    package let nodeID: PublicKey
    /// Other keys that sign invoices for it, where a node reports them: of a virtual node behind it, for instance.
    package let otherPayees: [PublicKey]
    package let network: Network
    package let blockHeight: UInt32
    /// Whether it is synced to its chain; until then payments may fail.
    package let isSynchronized: Bool
    /// Whether payers find a route by its id, because it has a public channel. Otherwise it is reachable through its
    /// peers only.
    package var isPublic: Bool
    /// Peers through which it can be reached, best first: each with its channel to the node, by the id that the peer
    /// forwards by, and its forwarding terms.
    package var introductionPeers: [PaymentPath.Relay]
    /// The name that its owner gave it; may contain anything.
    package let alias: String?
    package let version: String?

    package init(
        nodeID: PublicKey,
        network: Network,
        blockHeight: UInt32,
        isSynchronized: Bool = true,
        isPublic: Bool = true,
        introductionPeers: [PaymentPath.Relay] = [],
        alias: String? = nil,
        version: String? = nil,
        otherPayees: [PublicKey] = []
    ) {
        self.nodeID = nodeID
        self.otherPayees = otherPayees
        self.network = network
        self.blockHeight = blockHeight
        self.isSynchronized = isSynchronized
        self.isPublic = isPublic
        self.introductionPeers = introductionPeers
        self.alias = alias
        self.version = version
    }

    /// The keys of which one must have signed each of its invoices.
    package var payees: [PublicKey] { [nodeID] + otherPayees }
}
