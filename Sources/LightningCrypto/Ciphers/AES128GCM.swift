/// The authenticated cipher AES-128-GCM (NIST SP 800-38D): key of 16 bytes, nonce of 12, tag of 16. For Web Push
/// (RFC 8188).
public enum AES128GCM {
    private static let cipher = Cipher("AES-128-GCM", keyCount: 16, nonceCount: 12)

    /// The ciphertext, as long as the plaintext, and its tag.
    public static func seal(
        _ plaintext: some Collection<UInt8>, key: some Collection<UInt8>, nonce: some Collection<UInt8>
    ) throws(CryptoFault) -> (ciphertext: [UInt8], tag: [UInt8]) {
        try cipher.run(.seal, key: key, nonce: nonce) { run throws(CryptoFault) in
            let ciphertext = try run.transform(plaintext, orThrow: .cipherUnavailable)
            return (ciphertext, try run.tag())
        }
    }

    /// The plaintext. Throws `authenticationFailed`.
    public static func open(
        _ ciphertext: some Collection<UInt8>, tag: some Collection<UInt8>, key: some Collection<UInt8>,
        nonce: some Collection<UInt8>
    ) throws(CryptoFault) -> [UInt8] {
        try cipher.run(.open, key: key, nonce: nonce) { run throws(CryptoFault) in
            try run.expect(tag: tag)
            return try run.transform(ciphertext, orThrow: .authenticationFailed)
        }
    }
}
