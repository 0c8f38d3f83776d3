import COpenSSL

/// A private key of the curve P-256 (NIST SP 800-186), for the tokens of push providers and for Web Push.
public struct P256SecretKey: Sendable {
    /// The public key.
    public let publicKey: P256PublicKey
    let scalar: SecretBytes
    private let key: OpenSSLKey

    /// The length of a scalar in bytes.
    public static let byteCount = 32

    /// Reads a scalar of 32 bytes, big endian.
    ///
    /// Throws `invalidSecretKey` when it is not in 1..<n, and `invalidLength`.
    public init(_ scalar: some Collection<UInt8>) throws(CryptoFault) {
        guard scalar.count == Self.byteCount else {
            throw .invalidLength(expected: Self.byteCount, found: scalar.count)
        }
        self.scalar = SecretBytes(scalar)
        // Checked here: OpenSSL takes a scalar as it is.
        guard self.scalar.contains(where: { $0 != 0 }), self.scalar.lexicographicallyPrecedes(Self.order) else {
            throw .invalidSecretKey
        }
        let form = SecretBytes(Self.header + Array(self.scalar) + Self.curve)
        key = try form.withBytes { bytes throws(CryptoFault) in
            try OpenSSLKey.secret(der: bytes.assumingMemoryBound(to: UInt8.self))
        }
        publicKey = try P256PublicKey(key.publicDER().suffix(P256PublicKey.byteCount))
    }

    /// Reads an unencrypted private key in PEM, PKCS #8 or SEC 1.
    ///
    /// Throws `invalidSecretKey` when it is none, or of another curve.
    public init(pem: some Collection<UInt8>) throws(CryptoFault) {
        try self.init(OpenSSLKey.secret(pem: pem).p256Scalar())
    }

    /// A new key. Throws `entropyUnavailable`, or `invalidSecretKey` once in 2^32 times.
    public init(random: RandomSource) throws(CryptoFault) {
        try self.init(random(Self.byteCount))
    }

    /// An ECDSA signature over SHA-256 of the message: r and s of 32 bytes each, as in ES256 (RFC 7518, section 3.4). Each is
    /// another one.
    public func sign(_ message: some Collection<UInt8>) throws(CryptoFault) -> [UInt8] {
        // ASN.1, ECDSA-Sig-Value.
        let form = try key.sign(message)
        let structure = form.withUnsafeBufferPointer { form in
            var start = form.baseAddress
            return d2i_ECDSA_SIG(nil, &start, form.count)
        }
        guard let structure else { throw .cipherUnavailable }
        defer { ECDSA_SIG_free(structure) }
        return try Self.bytes(of: ECDSA_SIG_get0_r(structure)) + Self.bytes(of: ECDSA_SIG_get0_s(structure))
    }

    private static func bytes(of number: OpaquePointer?) throws(CryptoFault) -> [UInt8] {
        try [UInt8](count: byteCount) { output throws(CryptoFault) in
            guard BN_bn2binpad(number, output, Int32(byteCount)) == byteCount else { throw .cipherUnavailable }
        }
    }

    /// The x coordinate of the shared point, 32 bytes (ECDH; NIST SP 800-56A, section 5.7.1.2).
    public func sharedSecret(with other: P256PublicKey) throws(CryptoFault) -> SecretBytes {
        let context = EVP_PKEY_CTX_new(key.pointer, nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, other.key.pointer) == 1 else {
            throw .invalidPublicKey
        }
        return try SecretBytes(count: Self.byteCount) { output throws(CryptoFault) in
            var count = Self.byteCount
            guard EVP_PKEY_derive(context, output, &count) == 1, count == Self.byteCount else {
                throw .invalidPublicKey
            }
        }
    }

    /// The order of the curve.
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6,
        0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]
    /// What precedes and follows the scalar in an ECPrivateKey without its public key (RFC 5915, section 3).
    private static let header: [UInt8] = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20]
    private static let curve: [UInt8] = [
        0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
    ]
}
