import LightningCrypto
import Platform

extension WebhookSigningSecret {
    /// Reads a secret from a file that only its owner may open.
    ///
    /// - Throws: a text for people, without any of the secret.
    public init(file path: String) throws(WebhookSecretFileFault) {
        let bytes: SecretBytes
        do {
            bytes = SecretBytes(try PrivateFile(path: path).contents(limit: Self.maximumFile))
        } catch {
            throw WebhookSecretFileFault(reason: "the secret file \(path) " + error.explanation)
        }
        do {
            try self.init(bytes.copiedBytes)
        } catch {
            throw WebhookSecretFileFault(reason: "the secret file \(path) cannot be used: \(error.reason)")
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

extension PrivateFileFault {
    fileprivate var explanation: String {
        switch self {
        case .notFound: "is not there"
        case .exists, .notAFile: "is not a regular file"
        case .openToOthers(let mode): "is open to other users (mode \(String(mode, radix: 8))): chmod 600"
        case .tooLong: "is too long"
        case .system(let errno): "cannot be read (errno \(errno))"
        }
    }
}
