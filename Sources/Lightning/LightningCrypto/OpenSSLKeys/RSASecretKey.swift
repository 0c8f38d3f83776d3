import COpenSSL

/// An RSA key that signs as RS256 (RSASSA-PKCS1-v1_5 with SHA-256; RFC 8017, section 8.2).
public struct RSASecretKey: Sendable {
    private let key: OpenSSLKey

    /// The shortest accepted modulus, in bits.
    public static let minimumBits = 2048

    /// Reads an unencrypted private key in PEM.
    ///
    /// Throws `invalidSecretKey` when it is none, of another algorithm, or shorter than ``minimumBits``.
    public init(pem: some Collection<UInt8>) throws(CryptoFault) {
        key = try OpenSSLKey.secret(pem: pem)
        guard EVP_PKEY_get_base_id(key.pointer) == EVP_PKEY_RSA,
            EVP_PKEY_get_bits(key.pointer) >= Self.minimumBits
        else { throw .invalidSecretKey }
    }

    /// The signature, as long as the modulus. The same message always has the same one.
    public func sign(_ message: some Collection<UInt8>) throws(CryptoFault) -> [UInt8] {
        try key.sign(message)
    }

    /// Whether a signature was made with this key.
    public func isValid(_ signature: [UInt8], for message: some Collection<UInt8>) -> Bool {
        key.isValid(signature, for: message)
    }
}
