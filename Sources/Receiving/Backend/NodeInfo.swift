public import LightningCoding
public import LightningCrypto

/// Who and where a node is.
public struct NodeInfo: Hashable, Sendable {
    /// The key that signs its invoices.
    public let nodeID: PublicKey
    /// The chain that it lives on.
    public let network: Network
    /// The height of the best block that it knows.
    public let blockHeight: UInt32
    /// Peers through which it can be reached, best first.
    public let introductionPeers: [PublicKey]

    /// Creates a description of a node.
    public init(nodeID: PublicKey, network: Network, blockHeight: UInt32, introductionPeers: [PublicKey] = []) {
        self.nodeID = nodeID
        self.network = network
        self.blockHeight = blockHeight
        self.introductionPeers = introductionPeers
    }
}
