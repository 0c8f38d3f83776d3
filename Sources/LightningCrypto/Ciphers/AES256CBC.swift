/// AES-256 in CBC mode with PKCS#7 padding, as in LUD-10: key of 32 bytes, initialisation vector of 16.
///
/// It is not authenticated: a wrong key usually gives `invalidPadding`, but about one time in 256 a wrong plaintext.
public enum AES256CBC {
    private static let blockCount = 16
    private static let cipher = Cipher("AES-256-CBC", keyCount: 32, nonceCount: blockCount)

    /// The ciphertext: the plaintext and 1 to 16 bytes of padding.
    public static func encrypt(
        _ plaintext: some Collection<UInt8>, key: some Collection<UInt8>, iv: some Collection<UInt8>
    ) throws(CryptoFault) -> [UInt8] {
        try cipher.run(.seal, key: key, nonce: iv) { run throws(CryptoFault) in
            try run.transform(plaintext, roomForPadding: blockCount, orThrow: .cipherUnavailable)
        }
    }

    /// The plaintext. Throws `invalidPadding`, also when the ciphertext is not one or more whole blocks.
    public static func decrypt(
        _ ciphertext: some Collection<UInt8>, key: some Collection<UInt8>, iv: some Collection<UInt8>
    ) throws(CryptoFault) -> [UInt8] {
        try cipher.run(.open, key: key, nonce: iv) { run throws(CryptoFault) in
            try run.transform(ciphertext, roomForPadding: blockCount, orThrow: .invalidPadding)
        }
    }
}
