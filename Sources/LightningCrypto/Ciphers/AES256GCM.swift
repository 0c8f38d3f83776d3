/// The authenticated cipher AES-256-GCM (NIST SP 800-38D): key of 32 bytes, nonce of 12, tag of 16.
///
/// Nonces of up to 16 bytes are accepted too, since some senders use them; GCM hashes those first.
public enum AES256GCM {
    private static let cipher = Cipher("AES-256-GCM", keyCount: 32, nonceCount: 12, longestNonce: 16)

    /// The ciphertext, as long as the plaintext, and its tag.
    public static func seal(
        _ plaintext: some Collection<UInt8>, key: some Collection<UInt8>, nonce: some Collection<UInt8>,
        associatedData: some Collection<UInt8> = EmptyCollection()
    ) throws(CryptoFault) -> (ciphertext: [UInt8], tag: [UInt8]) {
        try cipher.run(.seal, key: key, nonce: nonce) { run throws(CryptoFault) in
            try run.authenticate(associatedData)
            let ciphertext = try run.transform(plaintext, orThrow: .cipherUnavailable)
            return (ciphertext, try run.tag())
        }
    }

    /// The plaintext. Throws `authenticationFailed`.
    public static func open(
        _ ciphertext: some Collection<UInt8>, tag: some Collection<UInt8>, key: some Collection<UInt8>,
        nonce: some Collection<UInt8>, associatedData: some Collection<UInt8> = EmptyCollection()
    ) throws(CryptoFault) -> [UInt8] {
        try cipher.run(.open, key: key, nonce: nonce) { run throws(CryptoFault) in
            try run.expect(tag: tag)
            try run.authenticate(associatedData)
            return try run.transform(ciphertext, orThrow: .authenticationFailed)
        }
    }
}
