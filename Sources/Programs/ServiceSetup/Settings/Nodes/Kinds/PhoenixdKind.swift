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

    let configuration: PhoenixdConfiguration
    package var buildsOffers: Bool { false }
    package var webhookSecretFile: String? { configuration.webhookSecretPath }

    package init(_ fields: SectionFields) throws(ConfigurationFaults) {
        configuration = PhoenixdConfiguration(
            url: try fields.urlOfNode(), passwordPath: try fields.required(Self.passwordFile),
            webhookSecretPath: fields[NodeKeys.webhookSecretFile],
            maximumWithPurchase: fields[Self.buysLiquidityUpTo],
            offerLabel: fields[Self.offersAccount].flatMap(Self.label), limits: CallLimits(behind: fields.load))
    }

    package func connect(clock: @escaping WallClock) throws(BackendFault) -> any ReceiveBackend {
        try PhoenixdBackend(configuration, clock: clock)
    }
}
