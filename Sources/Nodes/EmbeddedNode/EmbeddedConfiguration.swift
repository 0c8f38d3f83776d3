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

    package init(
        databasePath: String,
        makesDatabase: Bool = true,
        network: Network = .regtest,
        allowsMainnet: Bool = false
    ) {
        self.databasePath = databasePath
        self.makesDatabase = makesDatabase
        self.network = network
        self.allowsMainnet = allowsMainnet
    }
}
