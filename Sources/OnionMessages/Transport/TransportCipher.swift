public import LightningCrypto

/// The cipher of one direction of a connection, with its counter (BOLT 8, "Lightning Message Specification").
///
/// Every 1000 uses, that is every 500 messages, the key is rotated ("Lightning Message Key Rotation").
public struct TransportCipher: Sendable {
    private static let usesOfKey: UInt64 = 1000

    private var key: SecretBytes
    private var chainingKey: SecretBytes
    private var counter: UInt64 = 0

    /// An unused cipher. Both keys have 32 bytes.
    public init(key: SecretBytes, chainingKey: SecretBytes) {
        self.key = key
        self.chainingKey = chainingKey
    }

    mutating func seal(_ plaintext: some Collection<UInt8>) throws(CryptoFault) -> [UInt8] {
        try ChaCha20Poly1305.seal(plaintext, key: key, nonce: takeNonce())
    }

    mutating func open(_ sealed: some Collection<UInt8>) throws(CryptoFault) -> [UInt8] {
        let nonce = NoiseKeys.nonce(counter)
        let plaintext = try ChaCha20Poly1305.open(sealed, key: key, nonce: nonce)
        advance()
        return plaintext
    }

    private mutating func takeNonce() -> [UInt8] {
        defer { advance() }
        return NoiseKeys.nonce(counter)
    }

    private mutating func advance() {
        counter += 1
        guard counter == Self.usesOfKey else { return }
        (chainingKey, key) = NoiseKeys.derive(from: key, chainingKey: chainingKey)
        counter = 0
    }
}

/// The result of a handshake: the ciphers of both directions and the peer.
public struct TransportKeys: Sendable {
    /// Encrypts outgoing messages.
    public var sending: TransportCipher
    /// Decrypts incoming messages.
    public var receiving: TransportCipher
    /// The node id of the peer, which has proved that it has the key.
    public let remote: PublicKey
}
