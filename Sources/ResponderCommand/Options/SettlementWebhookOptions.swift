import ArgumentParser
import Installing

/// The flags of the settings for settlement webhooks.
struct SettlementWebhookOptions: ParsableArguments {
    @Option(name: .customLong("settlement-webhook-url"), help: ArgumentHelp(SettingTable.settlementWebhookURL))
    var settlementWebhookURL: String?
    @Option(help: ArgumentHelp(SettingTable.settlementWebhookSecretFile))
    var settlementWebhookSecretFile: String?
    @Flag(help: ArgumentHelp(SettingTable.settlementWebhookAllowPrivate))
    var settlementWebhookAllowPrivate = false

    /// What was given.
    var pairs: [(any SettingRow, String?)] {
        [
            (SettingTable.settlementWebhookURL, settlementWebhookURL),
            (SettingTable.settlementWebhookSecretFile, settlementWebhookSecretFile),
            (SettingTable.settlementWebhookAllowPrivate, settlementWebhookAllowPrivate ? "true" : nil),
        ]
    }
}
