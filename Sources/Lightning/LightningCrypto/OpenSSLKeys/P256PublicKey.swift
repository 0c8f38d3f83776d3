import COpenSSL

/// A public key of the curve P-256 (NIST SP 800-186).
public struct P256PublicKey: Sendable, Hashable {
    /// The uncompressed point: 0x04, x and y, 65 bytes.
    public let point: [UInt8]
    let key: OpenSSLKey

    /// The length of a point in bytes.
    public static let byteCount = 65

    /// Reads an uncompressed point. Throws `invalidPublicKey`.
    public init(_ point: some Collection<UInt8>) throws(CryptoFault) {
        guard point.count == Self.byteCount, point.first == 0x04 else { throw .invalidPublicKey }
        self.point = Array(point)
        key = try OpenSSLKey.public(der: Self.header + self.point)
    }

    /// What precedes the point in a SubjectPublicKeyInfo (RFC 5480, section 2).
    private static let header: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// Whether `signature`, r and s of 32 bytes each, is an ECDSA signature over SHA-256 of the message (ES256).
    public func isValid(_ signature: some Collection<UInt8>, for message: some Collection<UInt8>) -> Bool {
        guard signature.count == 64, let form = Self.structured(Array(signature)) else { return false }
        return key.isValid(form, for: message)
    }

    /// A signature as OpenSSL expects it: ASN.1, ECDSA-Sig-Value.
    private static func structured(_ signature: [UInt8]) -> [UInt8]? {
        guard let structure = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(structure) }
        let (r, s) = signature.withUnsafeBufferPointer { bytes in
            (BN_bin2bn(bytes.baseAddress, 32, nil), BN_bin2bn(bytes.baseAddress.map { $0 + 32 }, 32, nil))
        }
        guard ECDSA_SIG_set0(structure, r, s) == 1 else { return nil }
        let count = i2d_ECDSA_SIG(structure, nil)
        guard count > 0 else { return nil }
        return [UInt8](count: Int(count)) { output in
            var next: UnsafeMutablePointer<UInt8>? = output
            i2d_ECDSA_SIG(structure, &next)
        }
    }

    /// Compares the points.
    public static func == (one: P256PublicKey, other: P256PublicKey) -> Bool { one.point == other.point }

    /// Hashes the point.
    public func hash(into hasher: inout Hasher) { hasher.combine(point) }
}
