package import LightningCoding

package struct EmbeddedConfiguration: Hashable, Sendable {
    /// The file of the node's database (mode 0600).
    package var databasePath: String
    /// Whether to create a missing database.
    package var makesDatabase: Bool
    package var network: Network
    /// Whether `network` may be `bitcoin`. Nobody can pay this node, so payers would try to pay its mainnet invoices in
    /// vain.
    package var allowsMainnet: Bool
    /// The minimum amount of an invoice, in msat; at least 1.
    package var minimum: Millisatoshi
    /// The maximum amount of an invoice, in msat.
    package var maximum: Millisatoshi
    /// The constant block height in `nodeInfo`; this node does not see the chain.
    package var blockHeight: UInt32

    /// A node on regtest that accepts 1 msat to 0.1 BTC.
    package init(
        databasePath: String,
        makesDatabase: Bool = true,
        network: Network = .regtest,
        allowsMainnet: Bool = false,
        minimum: Millisatoshi = Millisatoshi(1),
        maximum: Millisatoshi = Millisatoshi(10_000_000_000),
        blockHeight: UInt32 = 1_000
    ) {
        self.databasePath = databasePath
        self.makesDatabase = makesDatabase
        self.network = network
        self.allowsMainnet = allowsMainnet
        self.minimum = minimum
        self.maximum = maximum
        self.blockHeight = blockHeight
    }
}
