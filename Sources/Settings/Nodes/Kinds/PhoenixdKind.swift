package import Nodes
import LNURL
import LightningCoding
import Phoenixd
package import Contracts

/// phoenixd, through its HTTP interface.
package struct PhoenixdKind: NodeKind {
    package static let word = "phoenixd"

    private static let passwordFile = Setting<String?>("password-file", "A file with the HTTP password.")
    private static let offersAccount = Setting<String?>(
        "offers-account", "The account that has the node's own offer, of which there is one."
    ) { name in
        (try? AddressName(name)) == nil ? "must be the name of an account" : nil
    }
    private static let buysLiquidityUpTo = Setting<Millisatoshi?>(
        "buys-liquidity-up-to",
        "The greatest amount of an invoice beyond what the channels can receive: phoenixd then buys liquidity when it is paid, and "
            + "keeps the price back; what is too small for that becomes credit for fees, which is never paid out. Without it a "
            + "phoenixd that has no channel yet receives nothing."
    ) { amount in
        amount.isWholeSatoshi && amount > .zero ? nil : "must be whole satoshis, at least 1sat"
    }

    package static let rows: [any SettingRow] = [
        NodeKeys.url, passwordFile, NodeKeys.webhookSecretFile, offersAccount, buysLiquidityUpTo,
    ]

    let url: HTTPURL
    let passwordFile: String
    let webhookSecretFile: String?
    /// The one account that uses the node's own offer.
    let offersAccount: AddressName?
    /// The largest amount for which it may buy liquidity when a payment arrives, in msat.
    let buysLiquidityUpTo: Millisatoshi?

    package init(_ fields: SectionFields) throws(ConfigurationFaults) {
        url = try fields.urlOfNode()
        passwordFile = try fields.required(Self.passwordFile)
        webhookSecretFile = fields[NodeKeys.webhookSecretFile]
        offersAccount = fields[Self.offersAccount].flatMap { try? AddressName($0) }
        buysLiquidityUpTo = fields[Self.buysLiquidityUpTo]
    }

    package func connect(bearing load: BackendLoad) throws(BackendFault) -> any ReceiveBackend {
        try PhoenixdBackend(
            PhoenixdConfiguration(
                url: url, passwordPath: passwordFile, webhookSecretPath: webhookSecretFile,
                maximumWithPurchase: buysLiquidityUpTo, offerLabel: offersAccount?.text,
                limits: CallLimits(behind: load)))
    }
}
