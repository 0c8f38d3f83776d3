package import LightningCoding
package import LightningCrypto

/// A key with which an app's owner signs tokens for APNs.
///
/// Source: Apple, "Establishing a token-based connection to APNs".
package struct APNsKey: Sendable {
    /// The key's id at Apple: ten letters and digits.
    package let id: String
    package let team: String
    private let secret: P256SecretKey

    /// Creates a key. Throws `identifier`.
    package init(id: String, team: String, _ secret: P256SecretKey) throws(CredentialFault) {
        for (name, text) in [("key id", id), ("team id", team)] {
            guard text.utf8.count == 10, text.utf8.allSatisfy(Self.isAllowed) else { throw .identifier(name) }
        }
        self.id = id
        self.team = team
        self.secret = secret
    }

    /// Reads the `.p8` file that Apple gave out, of mode 0600.
    package init(id: String, team: String, file: String) throws(CredentialFault) {
        try self.init(id: id, team: team, CredentialFile.p256(file))
    }

    /// What tells it from every other key.
    var name: String { "apns \(team) \(id) \(Hexadecimal.encode(SHA256.hash(secret.publicKey.point).prefix(8)))" }

    /// The token issued at a moment. It is valid for an hour.
    package func token(issuedAt moment: UnixTime) throws(CryptoFault) -> String {
        try JSONWebToken.signed(
            header: ["alg": "ES256", "kid": .string(id)],
            claims: ["iss": .string(team), "iat": .unsigned(moment.seconds)],
            by: secret.sign)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
