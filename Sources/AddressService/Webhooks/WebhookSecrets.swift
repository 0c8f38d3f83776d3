public import LNURL
public import LightningCoding
public import LightningCrypto

/// Who may call an account's webhook: whoever knows the secret that stands in its URL. All secrets follow from one key of the
/// service, so that none needs to be stored.
public struct WebhookSecrets: Sendable {
    private let key: HMACSHA256.Keyed

    /// The length of the service's key in bytes.
    public static let keyCount = 32

    /// Secrets under a key of the service.
    public init(key: SecretBytes) {
        self.key = HMACSHA256.Keyed(key)
    }

    /// The last segment of an account's webhook URL: 128 bits in hexadecimal.
    public func pathSecret(of account: AddressName) -> String {
        Hexadecimal.encode(key.authenticate(Array("webhook/url/\(account.text)".utf8)).prefix(16))
    }

    /// An account's webhook, for the settings of a forwarder.
    public func url(of account: AddressName, at service: HTTPURL) -> HTTPURL {
        service.appendingPath("/webhook/\(account.text)/\(pathSecret(of: account))")
    }

    /// Whether a secret is that of an account; constant time, whether there is such an account or not.
    public func isSecret(_ secret: some StringProtocol, of account: AddressName) -> Bool {
        ConstantTime.equal(Array(secret.utf8), Array(pathSecret(of: account).utf8))
    }
}
