import CSecp256k1

/// The cost of libsecp256k1 itself: the lower bound for everything that is signed.
struct BareCurve {
    private let context: OpaquePointer
    private let key: [UInt8]
    private let hash: [UInt8]

    init(key: [UInt8], hash: [UInt8]) {
        context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY))
        // Blinded, like the context for real keys.
        _ = secp256k1_context_randomize(context, hash)
        self.key = key
        self.hash = hash
    }

    func sign() -> secp256k1_ecdsa_recoverable_signature {
        var signature = secp256k1_ecdsa_recoverable_signature()
        _ = secp256k1_ecdsa_sign_recoverable(context, &signature, hash, key, nil, nil)
        return signature
    }

    func recover(_ signature: secp256k1_ecdsa_recoverable_signature) -> secp256k1_pubkey {
        var signature = signature
        var point = secp256k1_pubkey()
        _ = secp256k1_ecdsa_recover(context, &point, &signature, hash)
        return point
    }
}
