package import LightningCoding

/// The settings of the embedded node.
package struct EmbeddedSettings: SettingGroup {
    package let network = Setting<Network>(
        "embedded.network",
        standard: .regtest,
        "The chain of the embedded node's invoices. The node has no network, so they cannot be paid."
    )
    package let database = Setting<String?>(
        "embedded.database",
        "The path of the embedded node's database, which several services on one machine may share; by default a file in the data folder."
    )
    package let allowMainnet = Setting<Bool>(
        "embedded.allow-mainnet",
        standard: false,
        "Allows the embedded node on mainnet, where its invoices look real but can never be paid."
    )
}
