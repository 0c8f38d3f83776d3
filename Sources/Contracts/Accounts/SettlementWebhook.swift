public import LightningCoding

/// Where an operator receives reports of payments, and the secret that signs them.
public struct SettlementWebhook: Hashable, Sendable {
    /// The URL that reports are posted to.
    public let url: HTTPURL
    /// The path of a file (mode 0600) with the signing secret: `whsec_` and base64, as in Standard Webhooks.
    public let secretFile: String

    /// Creates a webhook.
    public init(url: HTTPURL, secretFile: String) {
        self.url = url
        self.secretFile = secretFile
    }
}
