package import LightningCoding
import LightningCrypto
import Platform

/// The secret that signs the webhooks we send, as in Standard Webhooks: `whsec_` and the key in base64.
///
/// Source: github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md, "Signature scheme".
package struct WebhookSigningSecret: Sendable {
    private let key: HMACSHA256.Keyed

    /// The allowed length of a key, in bytes.
    package static let keyCounts = 24...64

    /// Reads a secret, ignoring surrounding white space.
    ///
    /// - Throws: when it is not `whsec_` and base64 of 24 to 64 bytes.
    package init(_ text: some Collection<UInt8>) throws(WebhookSecretFault) {
        let bytes = text.drop { $0 <= 0x20 }
        let count = bytes.reversed().drop { $0 <= 0x20 }.count
        let trimmed = String(decoding: bytes.prefix(count), as: UTF8.self)
        guard trimmed.utf8.starts(with: Self.prefix.utf8) else { throw .noPrefix }
        guard let key = try? Base64.decode(trimmed.dropFirst(Self.prefix.count)) else { throw .notBase64 }
        guard Self.keyCounts.contains(key.count) else { throw .length(key.count) }
        self.key = HMACSHA256.Keyed(SecretBytes(key))
    }

    private static let prefix = "whsec_"

    /// The value of `webhook-signature`: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64.
    ///
    /// - Parameters:
    ///   - timestamp: the value of `webhook-timestamp`: seconds since 1970, in digits.
    package func signature(id: String, timestamp: UnixTime, body: [UInt8]) -> String {
        "v1," + Base64.encode(key.authenticate(Array("\(id).\(timestamp.seconds).".utf8), body))
    }
}

package enum WebhookSecretFault: Error, Hashable, Sendable {
    case noPrefix
    case notBase64
    /// The key has this many bytes.
    case length(Int)

    package var reason: String {
        switch self {
        case .noPrefix: "the secret must begin with whsec_"
        case .notBase64: "the secret must be base64 after whsec_"
        case .length(let count):
            "the secret has \(count) bytes; it must have \(WebhookSigningSecret.keyCounts.lowerBound) to "
                + "\(WebhookSigningSecret.keyCounts.upperBound)"
        }
    }
}

extension WebhookSigningSecret {
    /// Reads a secret from a file that only its owner may open.
    ///
    /// - Throws: a text for people, without any of the secret.
    package init(file path: String) throws(WebhookSecretFileFault) {
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

package struct WebhookSecretFileFault: Error, Hashable, Sendable {
    package let reason: String
}
