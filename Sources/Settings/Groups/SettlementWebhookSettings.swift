package import LightningCoding

/// Where the service reports payments.
package struct SettlementWebhookSettings: SettingGroup {
    package let url = Setting<HTTPURL?>(
        "settlement-webhook.url",
        "Where each payment is announced once it is settled, as in Standard Webhooks; an account may have its own. Nowhere unless it is set."
    )
    package let secretFile = Setting<String?>(
        "settlement-webhook.secret-file",
        "A file (mode 0600) with the secret that signs these announcements: whsec_ and 24 to 64 bytes in base64."
    )
    package let allowPrivate = Setting<Bool>(
        "settlement-webhook.allow-private",
        standard: false,
        "Lets settlement webhooks, those of accounts too, go to private addresses and this machine, and over plain http."
    )
}
