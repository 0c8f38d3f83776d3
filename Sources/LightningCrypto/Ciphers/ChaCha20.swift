/// The stream cipher ChaCha20 (RFC 8439 §2.4): key of 32 bytes, nonce of 12, a block counter of 32 bits.
public enum ChaCha20 {
    private static let cipher = Cipher("ChaCha20", keyCount: 32, nonceCount: 16)
    private static let nonceCount = 12

    /// The first `count` bytes of the stream, starting at block `counter`.
    public static func keystream(
        key: some Collection<UInt8>, nonce: some Collection<UInt8>, counter: UInt32 = 0, count: Int
    ) throws(CryptoFault) -> [UInt8] {
        guard count >= 0 else { throw .invalidLength(expected: 0, found: count) }
        return try xor([UInt8](repeating: 0, count: count), key: key, nonce: nonce, counter: counter)
    }

    /// The bytes XORed with the stream: both encryption and decryption.
    public static func xor(
        _ bytes: some Collection<UInt8>, key: some Collection<UInt8>, nonce: some Collection<UInt8>,
        counter: UInt32 = 0
    ) throws(CryptoFault) -> [UInt8] {
        guard nonce.count == nonceCount else { throw .invalidLength(expected: nonceCount, found: nonce.count) }
        // OpenSSL takes the counter, little-endian, as the first four bytes of its initialisation vector.
        let vector = withUnsafeBytes(of: counter.littleEndian) { Array($0) } + nonce
        return try cipher.run(.seal, key: key, nonce: vector) { run throws(CryptoFault) in
            try run.transform(bytes, orThrow: .cipherUnavailable)
        }
    }
}
