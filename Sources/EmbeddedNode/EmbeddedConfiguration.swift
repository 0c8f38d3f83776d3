public import LightningCoding

/// What an embedded node is told at its start.
public struct EmbeddedConfiguration: Hashable, Sendable {
    /// Where the node's key lies: 64 hexadecimal digits.
    public var keyPath: String
    /// Whether a missing key is made (mode 0600).
    public var makesKey: Bool
    /// The chain for which invoices are made.
    public var network: Network
    /// Whether `network` may be `bitcoin`. Nobody can pay this node, so an invoice on mainnet is one that payers try to pay in
    /// vain.
    public var allowsMainnet: Bool
    /// The least amount of an invoice, in msat; at least 1.
    public var minimum: Millisatoshi
    /// The greatest amount of an invoice, in msat.
    public var maximum: Millisatoshi
    /// What `nodeInfo` says about the chain, which this node does not see: always the same height.
    public var blockHeight: UInt32

    /// A node on regtest that takes 1 msat to 0.1 BTC.
    public init(
        keyPath: String,
        makesKey: Bool = true,
        network: Network = .regtest,
        allowsMainnet: Bool = false,
        minimum: Millisatoshi = Millisatoshi(1),
        maximum: Millisatoshi = Millisatoshi(10_000_000_000),
        blockHeight: UInt32 = 1_000
    ) {
        self.keyPath = keyPath
        self.makesKey = makesKey
        self.network = network
        self.allowsMainnet = allowsMainnet
        self.minimum = minimum
        self.maximum = maximum
        self.blockHeight = blockHeight
    }
}
