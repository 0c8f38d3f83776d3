package import LightningCoding

/// The settings of the embedded node.
package struct EmbeddedSettings: SettingGroup {
    package let network = Setting<Network>(
        "embedded.network",
        standard: .regtest,
        "The chain that the embedded node makes invoices for. It has no network: nobody can pay them."
    )
    package let allowMainnet = Setting<Bool>(
        "embedded.allow-mainnet",
        standard: false,
        "Lets the embedded node make invoices for bitcoin, which look real and can never be paid."
    )
}
