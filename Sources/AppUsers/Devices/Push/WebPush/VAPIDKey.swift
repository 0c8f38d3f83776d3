package import LightningCoding
package import LightningCrypto
import ResponderModel

/// The key with which this server identifies itself to push services (RFC 8292).
package struct VAPIDKey: Sendable {
    /// The public key in base64url, which apps need to subscribe: 87 characters.
    package let publicText: String
    private let secret: P256SecretKey
    private let contact: String

    /// How long a token is used, in seconds.
    package static let lifetime: UInt64 = 43_200
    /// How long a token is valid, in seconds: services whose clocks are late accept no more than a day.
    package static let validity: UInt64 = 82_800

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - secret: the key.
    ///   - contact: where push services reach the operator: a `mailto:` or `https:` URL. Throws `contact`.
    package init(_ secret: P256SecretKey, contact: String) throws(CredentialFault) {
        guard contact.begins(with: "mailto:") || contact.begins(with: "https://"), contact.isVisibleASCII(upTo: .max)
        else {
            throw .contact
        }
        self.secret = secret
        self.contact = contact
        publicText = Base64URL.encode(secret.publicKey.point)
    }

    /// Reads a key in PEM from a file of mode 0600.
    package init(file: String, contact: String) throws(CredentialFault) {
        try self.init(CredentialFile.p256(file), contact: contact)
    }

    /// The value of `Authorization` for the push service of an endpoint, valid for ``validity`` from the moment on.
    package func authorization(for endpoint: HTTPURL, issuedAt moment: UnixTime) throws(CryptoFault) -> String {
        let token = try JSONWebToken.signed(
            header: ["typ": "JWT", "alg": "ES256"],
            claims: [
                "aud": .string(endpoint.origin), "exp": .unsigned(moment.adding(seconds: Self.validity).seconds),
                "sub": .string(contact),
            ], by: secret.sign)
        return "vapid t=\(token), k=\(publicText)"
    }

    /// The moment that tokens used now are issued at: twice a day, the same for all instances.
    package static func moment(at now: UnixTime) -> UnixTime { UnixTime(now.seconds / lifetime * lifetime) }
}

extension HTTPURL {
    /// Scheme, host, and the port if it is not the default one (RFC 6454, section 6.2).
    var origin: String { "\(scheme.rawValue)://\(withoutDefaultPort.authority)" }
}
