public import LightningCoding

/// Where an operator wants to be told of payments, and with what that is signed.
public struct SettlementWebhook: Hashable, Sendable {
    /// Where the notices are posted to.
    public let url: HTTPURL
    /// The path of a file (mode 0600) with the secret that signs them: `whsec_` and base64, as in Standard Webhooks.
    public let secretFile: String

    /// Creates a description.
    public init(url: HTTPURL, secretFile: String) {
        self.url = url
        self.secretFile = secretFile
    }
}
