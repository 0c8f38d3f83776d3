import CSecp256k1

extension SecretKey {
    /// The Diffie-Hellman secret of BOLT 4 and BOLT 8: SHA-256 over the 33 bytes of the compressed point `key · publicKey`.
    public func sharedSecret(with publicKey: PublicKey) throws(CryptoFault) -> SecretBytes {
        try agreed(with: publicKey, count: SHA256.byteCount, nil)
    }

    /// The compressed point `key · publicKey` itself, 33 bytes, not hashed.
    public func sharedPoint(with publicKey: PublicKey) throws(CryptoFault) -> SecretBytes {
        try agreed(with: publicKey, count: Curve.pointCount) { output, x, y, _ in
            guard let output, let x, let y else { return 0 }
            output[0] = 0x02 | (y[Curve.scalarCount - 1] & 1)
            (output + 1).update(from: x, count: Curve.scalarCount)
            return 1
        }
    }

    private func agreed(
        with publicKey: PublicKey, count: Int, _ form: secp256k1_ecdh_hash_function?
    ) throws(CryptoFault) -> SecretBytes {
        try SecretBytes(count: count) { output throws(CryptoFault) in
            let outcome = publicKey.withPoint { point in
                withScalar { secp256k1_ecdh(Curve.context, output, point, $0, form, nil) }
            }
            guard outcome == 1 else { throw .invalidPublicKey }
        }
    }
}
