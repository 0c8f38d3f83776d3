/// Why a cryptographic operation failed. Deliberately coarse: more detail would be an oracle.
public enum CryptoFault: Error, Hashable, Sendable {
    /// A fixed-size argument has the wrong size, in bytes.
    case invalidLength(expected: Int, found: Int)
    /// The text is not whole bytes in hexadecimal.
    case invalidHexadecimal
    /// The scalar is not in 1..<n, with n the order of its curve, or the private key is not of the expected kind.
    case invalidSecretKey
    /// The bytes are not a point of the curve in the expected encoding.
    case invalidPublicKey
    /// The signature is not well-formed, or no key can be recovered from it.
    case invalidSignature
    /// The tweak is not in the range of the operation, or its result is zero or the point at infinity.
    case invalidTweak
    /// The authentication tag does not match key, nonce, text and associated data.
    case authenticationFailed
    /// The ciphertext is not whole blocks, or its last block has no PKCS#7 padding.
    case invalidPadding
    /// The system provided no random bytes.
    case entropyUnavailable
    /// OpenSSL does not provide the cipher (a restricted provider configuration).
    case cipherUnavailable
}
