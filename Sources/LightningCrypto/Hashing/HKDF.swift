/// Key derivation with HMAC-SHA256 (RFC 5869).
public enum HKDF {
    /// `count` bytes, derived from `secret`.
    ///
    /// - Parameters:
    ///   - secret: the input keying material.
    ///   - salt: any length.
    ///   - info: what the result is for.
    ///   - count: 0 to 8160 bytes. Throws `invalidLength`.
    public static func derive(
        from secret: some Collection<UInt8>, salt: some Collection<UInt8>, info: some Collection<UInt8>, count: Int
    ) throws(CryptoFault) -> SecretBytes {
        let maximum = 255 * SHA256.byteCount
        guard (0...maximum).contains(count) else { throw .invalidLength(expected: maximum, found: count) }
        let key = HMACSHA256.Keyed(HMACSHA256.deriveSecret(from: secret, key: salt))
        let info = Array(info)
        return SecretBytes(count: count) { output in
            var block = SecretBytes([])
            var written = 0
            var number: UInt8 = 1
            while written < count {
                block = key.deriveSecret(from: SecretBytes(Array(block) + info + [number]))
                let piece = min(block.count, count - written)
                block.withPointer { (output + written).update(from: $0, count: piece) }
                written += piece
                number &+= 1
            }
        }
    }
}
