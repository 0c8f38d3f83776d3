import CSecp256k1

/// A BIP-340 signature. Only its length is checked here; `verifies` checks the rest.
public struct SchnorrSignature: Hashable, Sendable {
    /// The length in bytes.
    public static let byteCount = Curve.signatureCount

    /// R's x coordinate and s: 32 bytes each, big-endian.
    public let bytes: [UInt8]

    /// Exactly 64 bytes. Throws `invalidLength`.
    public init(_ bytes: some Collection<UInt8>) throws(CryptoFault) {
        guard bytes.count == Self.byteCount else {
            throw .invalidLength(expected: Self.byteCount, found: bytes.count)
        }
        self.bytes = Array(bytes)
    }

    fileprivate init(written bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension SecretKey {
    /// Signs a 32-byte hash with BIP-340, under `publicKey.xOnly` whatever the parity of the public key.
    ///
    /// `auxiliaryRandom`: 32 fresh random bytes, or nil for a deterministic signature, the same as with 32 zero bytes.
    public func schnorrSignature(
        of hash: some Collection<UInt8>, auxiliaryRandom: [UInt8]?
    ) throws(CryptoFault) -> SchnorrSignature {
        let signature = try [UInt8](count: Curve.signatureCount) { output throws(CryptoFault) in
            try hash.withContiguousBytes(exactly: Curve.scalarCount) { hash throws(CryptoFault) in
                let outcome =
                    try auxiliaryRandom?.withContiguousBytes(exactly: Curve.scalarCount) { random in
                        withKeypair { secp256k1_schnorrsig_sign32(Curve.context, output, hash, $0, random) }
                    } ?? withKeypair { secp256k1_schnorrsig_sign32(Curve.context, output, hash, $0, nil) }
                guard outcome == 1 else { throw .invalidSecretKey }
            }
        }
        return SchnorrSignature(written: signature)
    }
}

extension XOnlyPublicKey {
    /// Whether `signature` is this key's over `hash`. A hash that is not 32 bytes has no valid signature.
    public func verifies(_ signature: SchnorrSignature, of hash: some Collection<UInt8>) -> Bool {
        hash.withContiguousBytes { hash in
            guard hash.count == Curve.scalarCount, let start = hash.baseAddress else { return false }
            let message = start.assumingMemoryBound(to: UInt8.self)
            return withPoint { point in
                secp256k1_schnorrsig_verify(Curve.context, signature.bytes, message, hash.count, point) == 1
            }
        }
    }
}

extension PublicKey {
    /// Whether `signature` is that of this key's x coordinate over `hash`: BOLT 12 ignores the parity.
    public func verifies(_ signature: SchnorrSignature, of hash: some Collection<UInt8>) -> Bool {
        xOnly.verifies(signature, of: hash)
    }
}
