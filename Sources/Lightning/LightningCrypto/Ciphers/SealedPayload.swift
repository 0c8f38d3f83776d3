/// A text encrypted for one key, as in the push messages of Bitkit: AES-256-GCM without associated data, with the key
/// SHA-256(SHA-256(point ‖ purpose)). The point is that of both keys by Diffie-Hellman, 33 bytes compressed.
public struct SealedPayload: Hashable, Sendable {
    /// As long as the plaintext.
    public let ciphertext: [UInt8]
    /// 12 to 16 bytes.
    public let nonce: [UInt8]
    /// 16 bytes.
    public let tag: [UInt8]
    /// The sender's public key, fresh for every payload.
    public let sender: PublicKey

    /// Creates a payload from its parts, as received.
    public init(ciphertext: [UInt8], nonce: [UInt8], tag: [UInt8], sender: PublicKey) {
        self.ciphertext = ciphertext
        self.nonce = nonce
        self.tag = tag
        self.sender = sender
    }

    /// Encrypts a text. Neither `ephemeral` nor `nonce` may be used twice.
    public init(
        sealing plaintext: [UInt8], for recipient: PublicKey, purpose: String, ephemeral: SecretKey, nonce: [UInt8]
    ) throws(CryptoFault) {
        let key = try Self.key(of: ephemeral, with: recipient, purpose: purpose)
        let (ciphertext, tag) = try AES256GCM.seal(plaintext, key: key, nonce: nonce)
        self.init(ciphertext: ciphertext, nonce: nonce, tag: tag, sender: ephemeral.publicKey)
    }

    /// The plaintext. Throws `authenticationFailed` for another key or purpose, or when anything was changed.
    public func opened(with recipient: SecretKey, purpose: String) throws(CryptoFault) -> [UInt8] {
        let key = try Self.key(of: recipient, with: sender, purpose: purpose)
        return try AES256GCM.open(ciphertext, tag: tag, key: key, nonce: nonce)
    }

    private static func key(
        of own: SecretKey, with other: PublicKey, purpose: String
    ) throws(CryptoFault) -> SecretBytes {
        SecretBytes(SHA256.hash(SHA256.hash(try own.sharedPoint(with: other), Array(purpose.utf8))))
    }
}
