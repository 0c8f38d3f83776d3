package import LNURL
package import LightningCoding
package import LightningCrypto
package import ResponderModel

/// Authenticates webhook calls by the secret in the account's URL. All secrets are derived from one key of the service,
/// so that none needs to be stored. That of a registered name is its owner's: whoever has the name next has another one.
package struct WebhookSecrets: Sendable {
    private let key: HMACSHA256.Keyed

    package init(key: SecretBytes) {
        self.key = HMACSHA256.Keyed(key)
    }

    /// The last segment of an account's webhook URL: 128 bits in hexadecimal. In the main domain it does not change with
    /// the public URL.
    ///
    /// - Parameter owner: the key that has registered the name; nil for an account.
    package func pathSecret(of name: AddressName, in domain: Domain, owner: PublicKey? = nil) -> String {
        let account = AccountID(name, at: domain.name).text(main: domain.isMain ? domain.name : nil)
        let text = "webhook/url/\(account)" + (owner.map { "/\($0.hexadecimal)" } ?? "")
        return Hexadecimal.encode(key.authenticate(Array(text.utf8)).prefix(16))
    }

    /// An account's webhook URL, to configure in a forwarder.
    package func url(of name: AddressName, in domain: Domain, owner: PublicKey? = nil) -> HTTPURL {
        let segments = "\(domain.shownName(of: name))/\(pathSecret(of: name, in: domain, owner: owner))"
        return domain.base(of: name).appendingPath("/webhook/\(segments)")
    }

    /// The webhook URL of an app user's name; nil without a name.
    package func url(of registration: Registration, in domain: Domain?) -> HTTPURL? {
        guard let name = registration.name, let domain else { return nil }
        return url(of: name, in: domain, owner: registration.id.key)
    }

    /// Whether a signature of a body under an account's secret is valid; constant time, whether or not the account
    /// exists.
    ///
    /// - Parameter signature: the value of `X-Webhook-Signature`: HMAC-SHA256 in hexadecimal, keyed with the secret's
    ///   characters as in the account's webhook URL.
    package func isSignature(
        _ signature: some StringProtocol, over body: [UInt8], of name: AddressName, in domain: Domain,
        owner: PublicKey? = nil
    ) -> Bool {
        let expected = self.signature(over: body, of: name, in: domain, owner: owner)
        return ConstantTime.equal(Array(signature.lowercasedASCII.utf8), Array(expected.utf8))
    }

    /// The signature of a body under an account's secret, for `X-Webhook-Signature`.
    package func signature(
        over body: [UInt8], of name: AddressName, in domain: Domain, owner: PublicKey? = nil
    ) -> String {
        let secret = SecretBytes(Array(pathSecret(of: name, in: domain, owner: owner).utf8))
        return Hexadecimal.encode(HMACSHA256.Keyed(secret).authenticate(body))
    }

    /// Whether a secret is that of an account; constant time, whether or not the account exists.
    package func isSecret(
        _ secret: some StringProtocol, of name: AddressName, in domain: Domain, owner: PublicKey? = nil
    ) -> Bool {
        ConstantTime.equal(Array(secret.utf8), Array(pathSecret(of: name, in: domain, owner: owner).utf8))
    }
}
