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
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.pointer) == 1 else { throw .cipherUnavailable }
        return try message.withContiguousBytes { message throws(CryptoFault) in
            let start = message.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return try [UInt8](count: Int(EVP_PKEY_get_size(key.pointer))) { output throws(CryptoFault) in
                var count = Int(EVP_PKEY_get_size(key.pointer))
                guard EVP_DigestSign(context, output, &count, start, message.count) == 1 else {
                    throw .cipherUnavailable
                }
            }
        }
    }

    /// Whether a signature was made with this key.
    public func isValid(_ signature: [UInt8], for message: some Collection<UInt8>) -> Bool {
        key.isValid(signature, for: message)
    }
}
