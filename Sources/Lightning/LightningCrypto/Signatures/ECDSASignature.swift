import CSecp256k1

/// An ECDSA signature: r and s, both in 1..<n. A high s is allowed; only `PublicKey.verifies` refuses it.
public struct ECDSASignature: Hashable, Sendable {
    /// r and s: 32 bytes each, big-endian.
    public let compact: [UInt8]

    /// 64 bytes. Throws `invalidLength`, or `invalidSignature` when r or s is out of range.
    public init(compact: some Collection<UInt8>) throws(CryptoFault) {
        var parsed = secp256k1_ecdsa_signature()
        try compact.withContiguousBytes(exactly: Curve.signatureCount) { compact throws(CryptoFault) in
            guard secp256k1_ecdsa_signature_parse_compact(Curve.context, &parsed, compact) == 1 else {
                throw .invalidSignature
            }
        }
        try self.init(checking: parsed)
    }

    /// Strict DER (BIP-66, without a hash type). Throws `invalidSignature`.
    public init(der: some Collection<UInt8>) throws(CryptoFault) {
        var parsed = secp256k1_ecdsa_signature()
        try der.withContiguousBytes { der throws(CryptoFault) in
            guard let start = der.baseAddress?.assumingMemoryBound(to: UInt8.self),
                secp256k1_ecdsa_signature_parse_der(Curve.context, &parsed, start, der.count) == 1
            else { throw .invalidSignature }
        }
        try self.init(checking: parsed)
    }

    /// libsecp256k1 accepts zero, and turns an r or s beyond n in DER into zero; neither ever verifies.
    private init(checking parsed: secp256k1_ecdsa_signature) throws(CryptoFault) {
        self.init(parsed)
        guard compact[..<Curve.scalarCount].contains(where: { $0 != 0 }),
            compact[Curve.scalarCount...].contains(where: { $0 != 0 })
        else { throw .invalidSignature }
    }

    fileprivate init(_ parsed: secp256k1_ecdsa_signature) {
        compact = [UInt8](count: Curve.signatureCount) { output in
            withUnsafePointer(to: parsed) { parsed in
                _ = secp256k1_ecdsa_signature_serialize_compact(Curve.context, output, parsed)
            }
        }
    }

    /// `compact` as libsecp256k1 wrote it.
    init(written compact: [UInt8]) {
        self.compact = compact
    }

    /// Strict DER, at most 72 bytes.
    public var der: [UInt8] {
        var count = 72
        let padded = [UInt8](count: count) { output in
            withParsed { _ = secp256k1_ecdsa_signature_serialize_der(Curve.context, output, &count, $0) }
        }
        return Array(padded.prefix(count))
    }

    /// Whether s is at most n/2: of a signature's two forms, the only one that Bitcoin and BOLT 11 accept.
    public var isLowS: Bool {
        withParsed { secp256k1_ecdsa_signature_normalize(Curve.context, nil, $0) } == 0
    }

    fileprivate func withParsed<Value>(_ body: (UnsafePointer<secp256k1_ecdsa_signature>) -> Value) -> Value {
        var parsed = secp256k1_ecdsa_signature()
        // `compact` was written by libsecp256k1.
        _ = secp256k1_ecdsa_signature_parse_compact(Curve.context, &parsed, compact)
        return body(&parsed)
    }
}

extension SecretKey {
    /// Signs a 32-byte hash with the nonce of RFC 6979; s is low.
    public func ecdsaSignature(of hash: some Collection<UInt8>) throws(CryptoFault) -> ECDSASignature {
        var signature = secp256k1_ecdsa_signature()
        try hash.withContiguousBytes(exactly: Curve.scalarCount) { hash throws(CryptoFault) in
            guard withScalar({ secp256k1_ecdsa_sign(Curve.context, &signature, hash, $0, nil, nil) }) == 1 else {
                throw .invalidSecretKey
            }
        }
        return ECDSASignature(signature)
    }
}

extension PublicKey {
    /// Whether `signature` is this key's over `hash`. A high s is refused, and so is a hash that is not 32 bytes.
    public func verifies(_ signature: ECDSASignature, of hash: some Collection<UInt8>) -> Bool {
        hash.withContiguousBytes { hash in
            guard hash.count == Curve.scalarCount, let start = hash.baseAddress else { return false }
            let message = start.assumingMemoryBound(to: UInt8.self)
            return withPoint { point in
                signature.withParsed { secp256k1_ecdsa_verify(Curve.context, $0, message, point) } == 1
            }
        }
    }
}
