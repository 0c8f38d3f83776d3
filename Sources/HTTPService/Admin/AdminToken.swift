import LightningCoding
import LightningCrypto

/// What the operator shows to be let in: `Authorization: Bearer <token>`.
public struct AdminToken: Sendable {
    private let secret: SecretBytes

    /// Takes the text of the token.
    public init(_ text: some Collection<UInt8>) {
        secret = SecretBytes(text)
    }

    /// Whether a header names this token. How much of it is right cannot be learnt from the time that it takes.
    func isNamed(by header: String?) -> Bool {
        guard let header, header.utf8.count > 7,
            String(decoding: header.utf8.prefix(7), as: UTF8.self).lowercasedASCII.isExactly("bearer ")
        else { return false }
        return SecretBytes(Array(header.utf8.dropFirst(7))) == secret
    }
}
