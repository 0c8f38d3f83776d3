import CSecp256k1

/// An ECDSA signature from which the signer's public key can be computed, as in BOLT 11 and Lightning's signed
/// messages.
public struct RecoverableSignature: Hashable, Sendable {
    /// The signature without the recovery id.
    public let ecdsa: ECDSASignature
    /// Which of the candidate keys is the signer's: 0...3.
    public let recoveryID: UInt8

    /// 64 bytes r ‖ s, and 0...3. Throws `invalidLength`, or `invalidSignature` when r, s or the id is out of range.
    public init(compact: some Collection<UInt8>, recoveryID: UInt8) throws(CryptoFault) {
        guard recoveryID <= 3 else { throw .invalidSignature }
        ecdsa = try ECDSASignature(compact: compact)
        self.recoveryID = recoveryID
    }

    fileprivate init(_ signature: secp256k1_ecdsa_recoverable_signature) {
        var recoveryID: Int32 = 0
        let compact = [UInt8](count: Curve.signatureCount) { output in
            withUnsafePointer(to: signature) { signature in
                _ = secp256k1_ecdsa_recoverable_signature_serialize_compact(
                    Curve.context, output, &recoveryID, signature)
            }
        }
        ecdsa = ECDSASignature(written: compact)
        self.recoveryID = UInt8(truncatingIfNeeded: recoveryID)
    }

    /// r and s: 32 bytes each, big-endian.
    public var compact: [UInt8] { ecdsa.compact }

    /// The key for which this signature over `hash` (32 bytes) is valid. Accepts high and low s.
    ///
    /// Throws `invalidLength`, or `invalidSignature` when there is no such key.
    public func recoveredPublicKey(of hash: some Collection<UInt8>) throws(CryptoFault) -> PublicKey {
        var signature = secp256k1_ecdsa_recoverable_signature()
        var point = secp256k1_pubkey()
        try hash.withContiguousBytes(exactly: Curve.scalarCount) { hash throws(CryptoFault) in
            guard
                secp256k1_ecdsa_recoverable_signature_parse_compact(
                    Curve.context, &signature, compact, Int32(recoveryID)) == 1,
                secp256k1_ecdsa_recover(Curve.context, &point, &signature, hash) == 1
            else { throw .invalidSignature }
        }
        return PublicKey(point)
    }
}

extension SecretKey {
    /// Signs a 32-byte hash with the nonce of RFC 6979; s is low.
    public func recoverableSignature(of hash: some Collection<UInt8>) throws(CryptoFault) -> RecoverableSignature {
        var signature = secp256k1_ecdsa_recoverable_signature()
        try hash.withContiguousBytes(exactly: Curve.scalarCount) { hash throws(CryptoFault) in
            let outcome = withScalar {
                secp256k1_ecdsa_sign_recoverable(Curve.context, &signature, hash, $0, nil, nil)
            }
            guard outcome == 1 else { throw .invalidSecretKey }
        }
        return RecoverableSignature(signature)
    }
}
