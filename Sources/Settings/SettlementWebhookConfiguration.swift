import LightningCoding
package import Contracts

/// Where the service reports payments.
package struct SettlementWebhookConfiguration: Hashable, Sendable {
    /// The default for accounts without their own webhook.
    package let standard: SettlementWebhook?
    /// Whether private addresses and plain http are allowed.
    package let allowsPrivate: Bool

    init(_ sources: SettingSources) throws(ConfigurationFaults) {
        let table = SettingTable.shared.settlementWebhook
        allowsPrivate = sources[table.allowPrivate]
        let url = sources[table.url]
        let path = sources[table.secretFile]
        switch (url, path) {
        case (nil, nil): standard = nil
        case (let url?, let path?):
            guard url.scheme == .https || url.isOnion || allowsPrivate else {
                throw sources.faults(
                    table.url,
                    "must begin with https, unless \(table.allowPrivate.key) is set")
            }
            standard = SettlementWebhook(url: url, secretFile: path)
        case (_?, nil):
            throw sources.faults(table.url, "needs settlement-webhook.secret-file beside it")
        case (nil, _?):
            throw sources.faults(table.secretFile, "needs settlement-webhook.url beside it")
        }
    }
}
