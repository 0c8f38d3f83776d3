import LNURL
package import LightningCoding
import Phoenixd
package import ResponderModel

/// phoenixd, through its HTTP interface.
package struct PhoenixdKind: NodeKind {
    package static let word = "phoenixd"

    private static let passwordFile = Setting<String?>("password-file", "A file with the HTTP password.")
    private static let offersAccount = Setting<String?>(
        "offers-account", "The account that uses the node's only offer."
    ) { name in
        label(of: name) == nil
            ? "must be an account: alice, or alice@example.org of another domain than the main one" : nil
    }
    private static let buysLiquidityUpTo = Setting<Millisatoshi?>(
        "buys-liquidity-up-to",
        "The maximum invoice amount beyond what the channels can receive: phoenixd then buys liquidity when it is paid, and "
            + "deducts the price; amounts too small for that become fee credit, which is never paid out. Without this setting, a "
            + "phoenixd without channels receives nothing."
    ) { amount in
        amount.isWholeSatoshi && amount > .zero ? nil : "must be whole satoshis, at least 1sat"
    }

    private static func label(of account: String) -> String? {
        (try? AddressName(account))?.text ?? (try? AccountID(account))?.text
    }

    package static let rows: [any SettingRow] = [
        NodeKeys.url, passwordFile, NodeKeys.webhookSecretFile, offersAccount, buysLiquidityUpTo,
    ]

    let url: HTTPURL
    let passwordFile: String
    package let webhookSecretFile: String?
    /// The one account that uses the node's own offer.
    let offersAccount: String?
    /// The largest amount for which it may buy liquidity when a payment arrives, in msat.
    let buysLiquidityUpTo: Millisatoshi?

    package init(_ fields: SectionFields) throws(ConfigurationFaults) {
        url = try fields.urlOfNode()
        passwordFile = try fields.required(Self.passwordFile)
        webhookSecretFile = fields[NodeKeys.webhookSecretFile]
        offersAccount = fields[Self.offersAccount].flatMap(Self.label)
        buysLiquidityUpTo = fields[Self.buysLiquidityUpTo]
    }

    package func connect(
        bearing load: BackendLoad, clock: @escaping WallClock
    ) throws(BackendFault) -> any ReceiveBackend {
        try PhoenixdBackend(
            PhoenixdConfiguration(
                url: url, passwordPath: passwordFile, webhookSecretPath: webhookSecretFile,
                maximumWithPurchase: buysLiquidityUpTo, offerLabel: offersAccount,
                limits: CallLimits(behind: load)), clock: clock)
    }
}
