public import BlindedPaths
public import LightningCoding
public import LightningCrypto

/// Who and where a node is.
public struct NodeInfo: Hashable, Sendable {
    /// The key that signs its invoices.
    public let nodeID: PublicKey
    /// Other keys that sign invoices for it, for nodes that say so: of a virtual node behind it, for instance.
    public let otherPayees: [PublicKey]
    /// The chain that it lives on.
    public let network: Network
    /// The height of the best block that it knows.
    public let blockHeight: UInt32
    /// Whether it has caught up with its chain; until then payments may fail.
    public let isSynchronised: Bool
    /// Whether payers find it by its id, since it has a channel that the network knows. Otherwise they reach it through one of
    /// its peers only.
    public let isPublic: Bool
    /// Peers through which it can be reached, best first: each with its channel to the node, by the id that the peer forwards
    /// by, and with the terms on which it forwards.
    public let introductionPeers: [PaymentPath.Relay]
    /// The name that its owner gave it; anything may stand in it.
    public let alias: String?
    /// The software and its version, as the node says it.
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
