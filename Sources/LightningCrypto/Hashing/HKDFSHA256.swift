/// HKDF with SHA-256 (RFC 5869).
public enum HKDFSHA256 {
    /// The most that one derivation gives, in bytes (RFC 5869 §2.3).
    public static let maximumCount = 255 * SHA256.byteCount

    /// Extracts a key from `inputKey` and `salt` and expands it by `info` to `count` bytes.
    ///
    /// Throws `invalidLength` when more than `maximumCount` bytes are wanted, or fewer than none.
    public static func derive(
        inputKey: some Collection<UInt8>, salt: some Collection<UInt8>, info: some Collection<UInt8>, count: Int
    ) throws(CryptoFault) -> [UInt8] {
        guard (0...maximumCount).contains(count) else {
            throw .invalidLength(expected: maximumCount, found: count)
        }
        let expansion = HMACSHA256.Keyed(HMACSHA256.deriveSecret(from: inputKey, key: salt))
        var output: [UInt8] = []
        output.reserveCapacity(count + SHA256.byteCount)
        var block: [UInt8] = []
        var counter: UInt8 = 0
        while output.count < count {
            counter += 1
            block = expansion.authenticate(block + info, [counter])
            output += block
        }
        output.removeLast(output.count - count)
        return output
    }
}
