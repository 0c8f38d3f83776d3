/// Why a cryptographic operation was refused. It deliberately says no more than its caller needs: a closer reason would be an oracle.
public enum CryptoFault: Error, Hashable, Sendable {
    /// An argument of fixed size has another size, in bytes.
    case invalidLength(expected: Int, found: Int)
    /// The text is not a whole number of bytes in hexadecimal.
    case invalidHexadecimal
    /// The scalar is not in 1..<n, n being the order of secp256k1.
    case invalidSecretKey
    /// The bytes are no point of secp256k1 in the expected encoding.
    case invalidPublicKey
    /// The signature is not well-formed, or no key can be recovered from it.
    case invalidSignature
    /// The tweak is not in the range of the operation, or its result is zero or the point at infinity.
    case invalidTweak
    /// The authentication tag is not the one of this key, nonce, text and associated data.
    case authenticationFailed
    /// The ciphertext is not a whole number of blocks, or its last block carries no PKCS#7 padding.
    case invalidPadding
    /// The system gave no random bytes.
    case entropyUnavailable
    /// The OpenSSL in use does not offer the cipher (a restricted provider configuration).
    case cipherUnavailable
}
