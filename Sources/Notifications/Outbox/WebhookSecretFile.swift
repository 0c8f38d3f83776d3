import LightningCoding
import LightningCrypto
import Platform

extension WebhookSigningSecret {
    /// Reads a secret from a file that only its owner may open.
    ///
    /// - Throws: a text for people, without any of the secret.
    public init(file path: String) throws(WebhookSecretFileFault) {
        let file = try rethrowing(PrivateFile(path: path).contents(limit: Self.maximumFile)) {
            (fault: PrivateFileFault) in
            WebhookSecretFileFault(reason: "the secret file \(path): \(fault.reason)")
        }
        let bytes = SecretBytes(file)
        self = try rethrowing(WebhookSigningSecret(bytes.copiedBytes)) { (fault: WebhookSecretFault) in
            WebhookSecretFileFault(reason: "the secret file \(path) cannot be used: \(fault.reason)")
        }
    }

    /// Longer than any valid secret.
    private static let maximumFile = 1_024
}

/// Why a file yields no secret.
public struct WebhookSecretFileFault: Error, Hashable, Sendable {
    /// The text for people.
    public let reason: String
}
