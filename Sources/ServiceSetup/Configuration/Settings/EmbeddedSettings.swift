package import LightningCoding

/// How the embedded node is set up.
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
