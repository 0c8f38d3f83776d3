import CSecp256k1

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

/// secp256k1 through libsecp256k1.
enum Curve {
    /// The length of a compressed point in bytes.
    static let pointCount = 33
    /// The length of a scalar, a coordinate or a message hash in bytes.
    static let scalarCount = 32
    /// The length of a compact ECDSA or BIP-340 signature in bytes.
    static let signatureCount = 64

    /// The shared context. It is never changed after its creation, which makes it safe to share between threads.
    nonisolated(unsafe) static let context: OpaquePointer = makeContext()

    private static func makeContext() -> OpaquePointer {
        let flags = UInt32(SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY)
        let context: OpaquePointer = secp256k1_context_create(flags)
        // The default callback aborts the process; without it the call returns 0, which every caller here checks.
        secp256k1_context_set_illegal_callback(context, { _, _ in }, nil)
        // Blinding protects against side channels and does not change results; without entropy the context is still
        // correct.
        if let seed = try? SecretBytes(randomCount: scalarCount) {
            seed.withPointer { _ = secp256k1_context_randomize(context, $0) }
        }
        return context
    }
}
