/// The authenticated cipher ChaCha20-Poly1305 (RFC 8439 §2.8): key of 32 bytes, nonce of 12, tag of 16.
public enum ChaCha20Poly1305 {
    /// By how many bytes the ciphertext is longer than the plaintext.
    public static let tagCount = CipherRun.tagCount

    private static let cipher = Cipher("ChaCha20-Poly1305", keyCount: 32, nonceCount: 12)

    /// The ciphertext followed by its tag.
    public static func seal(
        _ plaintext: some Collection<UInt8>, key: some Collection<UInt8>, nonce: some Collection<UInt8>,
        associatedData: some Collection<UInt8> = EmptyCollection()
    ) throws(CryptoFault) -> [UInt8] {
        try cipher.run(.seal, key: key, nonce: nonce) { run throws(CryptoFault) in
            try run.authenticate(associatedData)
            return try run.transform(plaintext, orThrow: .cipherUnavailable) + run.tag()
        }
    }

    /// The plaintext of a ciphertext followed by its tag. Throws `authenticationFailed`.
    public static func open(
        _ sealed: some Collection<UInt8>, key: some Collection<UInt8>, nonce: some Collection<UInt8>,
        associatedData: some Collection<UInt8> = EmptyCollection()
    ) throws(CryptoFault) -> [UInt8] {
        guard sealed.count >= tagCount else { throw .authenticationFailed }
        return try cipher.run(.open, key: key, nonce: nonce) { run throws(CryptoFault) in
            try run.expect(tag: sealed.suffix(tagCount))
            try run.authenticate(associatedData)
            return try run.transform(sealed.dropLast(tagCount), orThrow: .authenticationFailed)
        }
    }
}
