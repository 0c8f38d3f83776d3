import LightningCoding
package import Receiving

/// Whom the service tells of payments.
package struct SettlementWebhookConfiguration: Hashable, Sendable {
    /// Who is told of payments to accounts that name nobody themselves.
    package let standard: SettlementWebhook?
    /// Whether private addresses and plain http are allowed.
    package let allowsPrivate: Bool

    init(_ sources: SettingSources) throws(ConfigurationFaults) {
        allowsPrivate = try sources.required(SettingTable.settlementWebhookAllowPrivate)
        let url = try sources.value(SettingTable.settlementWebhookURL)
        let path = try sources.value(SettingTable.settlementWebhookSecretFile)
        switch (url, path) {
        case (nil, nil): standard = nil
        case (let url?, let path?):
            guard url.scheme == .https || url.isOnion || allowsPrivate else {
                throw sources.faults(
                    SettingTable.settlementWebhookURL,
                    "must begin with https, unless \(SettingTable.settlementWebhookAllowPrivate.key) is set")
            }
            standard = SettlementWebhook(url: url, secretFile: path)
        case (_?, nil):
            throw sources.faults(SettingTable.settlementWebhookURL, "needs settlement-webhook.secret-file beside it")
        case (nil, _?):
            throw sources.faults(SettingTable.settlementWebhookSecretFile, "needs settlement-webhook.url beside it")
        }
    }
}
