import LightningCrypto

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
        let second = expansion.deriveSecret(from: SecretBytes([first, SecretBytes([2])].joined()))
        return (first, second)
    }

    /// The nonce of a cipher: 4 zero bytes, then the counter in 8 bytes, little-endian.
    static func nonce(_ counter: UInt64) -> [UInt8] {
        [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: counter >> (8 * $0)) }
    }
}
