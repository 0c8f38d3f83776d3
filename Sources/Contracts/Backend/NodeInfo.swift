public import BlindedPaths
public import LightningCoding
public import LightningCrypto

/// A node's identity and state.
public struct NodeInfo: Hashable, Sendable {
    /// The key that signs its invoices.
    public let nodeID: PublicKey
    /// Other keys that sign invoices for it, where a node reports them: of a virtual node behind it, for instance.
    public let otherPayees: [PublicKey]
    /// Its chain.
    public let network: Network
    /// The height of its best block.
    public let blockHeight: UInt32
    /// Whether it is synced to its chain; until then payments may fail.
    public let isSynchronised: Bool
    /// Whether payers find a route by its id, because it has a public channel. Otherwise it is reachable through its
    /// peers only.
    public let isPublic: Bool
    /// Peers through which it can be reached, best first: each with its channel to the node, by the id that the peer
    /// forwards by, and its forwarding terms.
    public let introductionPeers: [PaymentPath.Relay]
    /// The name that its owner gave it; may contain anything.
    public let alias: String?
    /// The software and its version, as the node reports it.
    public let version: String?

    /// Creates a description of a node.
    public init(
        nodeID: PublicKey,
        network: Network,
        blockHeight: UInt32,
        isSynchronised: Bool = true,
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
        self.isSynchronised = isSynchronised
        self.isPublic = isPublic
        self.introductionPeers = introductionPeers
        self.alias = alias
        self.version = version
    }

    /// The keys of which one must have signed each of its invoices.
    public var payees: [PublicKey] { [nodeID] + otherPayees }
}
