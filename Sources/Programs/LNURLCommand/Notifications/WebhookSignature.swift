import LightningCoding
import LightningCrypto
import OutboundHTTP
import Platform

/// Authenticates the sender to a webhook: `X-Webhook-Signature`, the hexadecimal HMAC-SHA256 of the raw body, keyed
/// with the characters of a shared secret.
struct WebhookSignature {
    private let key: SecretBytes

    private static let maximumCount = 1024

    /// Reads the secret, without surrounding white space, from a file readable by its owner only.
    init(keyIn path: String) throws(ToolFault) {
        let bytes = try PrivateFile(path: path).secret(limit: Self.maximumCount)
        guard !bytes.trimmed.isEmpty else { throw .signingKey }
        key = SecretBytes(bytes.trimmed)
    }

    func field(for body: [UInt8]) throws(ToolFault) -> HTTPField {
        let code = HMACSHA256.authenticate(body, key: key)
        return try rethrowing(HTTPField("X-Webhook-Signature", Hexadecimal.encode(code)), as: ToolFault.signingKey)
    }
}
