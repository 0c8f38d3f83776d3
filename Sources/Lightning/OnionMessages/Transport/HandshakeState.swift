import LightningCrypto

/// The state of both sides of a handshake (BOLT 8, "Handshake State"): the hash of everything exchanged so far, the
/// chaining key and the last temporary key.
struct HandshakeState: Sendable {
    private static let protocolName = Array("Noise_XK_secp256k1_ChaChaPoly_SHA256".utf8)
    private static let prologue = Array("lightning".utf8)

    private var hash: [UInt8]
    private var chainingKey: SecretBytes
    private var temporaryKey = SecretBytes([])

    /// Starts for a responder whose static key both sides know.
    init(responder: PublicKey) {
        hash = SHA256.hash(Self.protocolName)
        chainingKey = SecretBytes(hash)
        mix(Self.prologue)
        mix(responder.bytes)
    }

    /// Mixes bytes that both sides have seen into the hash.
    mutating func mix(_ bytes: [UInt8]) {
        hash = SHA256.hash(hash, bytes)
    }

    /// Derives the next temporary key from a Diffie-Hellman secret.
    mutating func mix(key: SecretBytes) {
        (chainingKey, temporaryKey) = NoiseKeys.derive(from: key, chainingKey: chainingKey)
    }

    /// Encrypts a text under the temporary key, with the hash as associated data, and mixes the ciphertext into the
    /// hash.
    mutating func seal(_ plaintext: [UInt8], counter: UInt64 = 0) throws(CryptoFault) -> [UInt8] {
        let sealed = try ChaCha20Poly1305.seal(
            plaintext, key: temporaryKey, nonce: NoiseKeys.nonce(counter), associatedData: hash)
        mix(sealed)
        return sealed
    }

    /// Decrypts the other side's ciphertext, and mixes it into the hash.
    mutating func open(_ sealed: [UInt8], counter: UInt64 = 0) throws(CryptoFault) -> [UInt8] {
        let plaintext = try ChaCha20Poly1305.open(
            sealed, key: temporaryKey, nonce: NoiseKeys.nonce(counter), associatedData: hash)
        mix(sealed)
        return plaintext
    }

    /// The ciphers of the connection, the initiator's sending one first.
    func ciphers() -> (initiator: TransportCipher, responder: TransportCipher) {
        let keys = NoiseKeys.derive(from: [UInt8](), chainingKey: chainingKey)
        return (
            TransportCipher(key: keys.first, chainingKey: chainingKey),
            TransportCipher(key: keys.second, chainingKey: chainingKey)
        )
    }
}

/// The key derivation of the Noise protocol (BOLT 8, "Handshake State"): HKDF of 64 bytes, split into two keys.
///
/// Built on HMAC, so that no intermediate value is left in memory.
enum NoiseKeys {
    /// Extracts from `inputKey` with `chainingKey` as the salt, and expands to two 32-byte keys.
    static func derive(
        from inputKey: some Collection<UInt8>, chainingKey: SecretBytes
    ) -> (first: SecretBytes, second: SecretBytes) {
        let expansion = HMACSHA256.Keyed(HMACSHA256.deriveSecret(from: inputKey, key: chainingKey))
        let first = expansion.deriveSecret(from: [1])
        let second = expansion.deriveSecret(from: first, [2])
        return (first, second)
    }

    /// The nonce of a cipher: 4 zero bytes, then the counter in 8 bytes, little-endian.
    static func nonce(_ counter: UInt64) -> [UInt8] {
        [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: counter >> (8 * $0)) }
    }
}
