package import LightningCoding

/// Whom the service tells of payments.
extension SettingTable {
    package static let settlementWebhookURL = Setting<HTTPURL>(
        "settlement-webhook.url",
        standard: nil,
        "Where each payment is announced once it is settled, as in Standard Webhooks; an account may have its own. Nowhere unless it is set."
    )
    package static let settlementWebhookSecretFile = Setting<String>(
        "settlement-webhook.secret-file",
        standard: nil,
        "A file (mode 0600) with the secret that signs these announcements: whsec_ and 24 to 64 bytes in base64."
    )
    package static let settlementWebhookAllowPrivate = Setting<Bool>(
        "settlement-webhook.allow-private",
        standard: false,
        "Lets settlement webhooks, those of accounts too, go to private addresses and this machine, and over plain http."
    )

    static let settlementWebhookRows: [any SettingRow] = [
        settlementWebhookURL, settlementWebhookSecretFile, settlementWebhookAllowPrivate,
    ]
}
