import LightningCoding
import LightningCrypto

/// What an operator, or whoever an operator trusts, shows: `Authorization: Bearer <token>`.
public struct BearerToken: Sendable {
    private let secret: SecretBytes

    /// Creates a token from its text.
    public init(_ text: some Collection<UInt8>) {
        secret = SecretBytes(text)
    }

    /// Whether a header carries this token; compared in constant time.
    func isNamed(by header: String?) -> Bool {
        guard let header, header.utf8.count > 7,
            String(decoding: header.utf8.prefix(7), as: UTF8.self).lowercasedASCII.isExactly("bearer ")
        else { return false }
        return SecretBytes(Array(header.utf8.dropFirst(7))) == secret
    }
}
