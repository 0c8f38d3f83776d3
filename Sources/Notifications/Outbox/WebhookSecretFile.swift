import LightningCrypto
import Platform

extension WebhookSigningSecret {
    /// Reads a secret from a file that nobody but its owner may open.
    ///
    /// - Throws: what a person reads; nothing of the secret is in it.
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

    /// More bytes than a secret can have.
    private static let maximumFile = 1_024
}

/// Why there is no secret in a file.
public struct WebhookSecretFileFault: Error, Hashable, Sendable {
    /// What a person reads.
    public let reason: String
}

extension PrivateFileFault {
    fileprivate var explanation: String {
        switch self {
        case .notFound: "is not there"
        case .exists, .notAFile: "is no plain file"
        case .openToOthers(let mode): "is open to other users (mode \(String(mode, radix: 8))): chmod 600"
        case .tooLong: "is too long"
        case .system(let errno): "cannot be read (errno \(errno))"
        }
    }
}
