import CSecp256k1

/// The cost of libsecp256k1 itself: the lower bound for everything that is signed, and for every answer to a request.
struct BareCurve {
    private let context: OpaquePointer
    private let key: [UInt8]
    private let hash: [UInt8]
    private let payerID: [UInt8]
    private let node: secp256k1_pubkey
    private let signature: [UInt8]

    init(key: [UInt8], hash: [UInt8]) {
        context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY))
        // Blinded, like the context for real keys.
        _ = secp256k1_context_randomize(context, hash)
        self.key = key
        self.hash = hash
        var node = secp256k1_pubkey()
        _ = secp256k1_ec_pubkey_create(context, &node, key)
        self.node = node
        var payerID = [UInt8](repeating: 0, count: 33)
        var count = payerID.count
        _ = secp256k1_ec_pubkey_serialize(context, &payerID, &count, &node, UInt32(SECP256K1_EC_COMPRESSED))
        self.payerID = payerID
        signature = Self.sign(hash, with: key, context)
    }

    func signRecoverable() -> secp256k1_ecdsa_recoverable_signature {
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

    func verify() -> Bool {
        var payer = secp256k1_pubkey()
        var xOnly = secp256k1_xonly_pubkey()
        return secp256k1_ec_pubkey_parse(context, &payer, payerID, payerID.count) == 1
            && secp256k1_xonly_pubkey_from_pubkey(context, &xOnly, nil, &payer) == 1
            && secp256k1_schnorrsig_verify(context, signature, hash, hash.count, &xOnly) == 1
    }

    /// A path key, the node's shared secret and its blinded id.
    func blind() -> (pathKey: secp256k1_pubkey, shared: [UInt8], blindedID: secp256k1_pubkey) {
        var pathKey = secp256k1_pubkey()
        var blindedID = node
        _ = secp256k1_ec_pubkey_create(context, &pathKey, key)
        let shared = shared(with: node)
        _ = secp256k1_ec_pubkey_tweak_mul(context, &blindedID, hash)
        return (pathKey, shared, blindedID)
    }

    /// A key and the secret shared with another node: the sender's cost of an onion layer.
    func agree() -> (key: secp256k1_pubkey, shared: [UInt8]) {
        var key = secp256k1_pubkey()
        _ = secp256k1_ec_pubkey_create(context, &key, self.key)
        return (key, shared(with: node))
    }

    /// The two points of a message and their two shared secrets: the cost of peeling a layer.
    func peel() -> [[UInt8]] {
        read(points: 2).map(shared)
    }

    func read(points count: Int) -> [secp256k1_pubkey] {
        (0..<count).map { _ in
            var point = secp256k1_pubkey()
            _ = secp256k1_ec_pubkey_parse(context, &point, payerID, payerID.count)
            return point
        }
    }

    private func shared(with point: secp256k1_pubkey) -> [UInt8] {
        var shared = [UInt8](repeating: 0, count: 32)
        _ = withUnsafePointer(to: point) { secp256k1_ecdh(context, &shared, $0, key, nil, nil) }
        return shared
    }

    /// Signs with the offer's key, which is derived anew since offer keys are not stored.
    func sign() -> [UInt8] {
        Self.sign(hash, with: key, context)
    }

    private static func sign(_ hash: [UInt8], with key: [UInt8], _ context: OpaquePointer) -> [UInt8] {
        var keypair = secp256k1_keypair()
        var signature = [UInt8](repeating: 0, count: 64)
        _ = secp256k1_keypair_create(context, &keypair, key)
        _ = secp256k1_schnorrsig_sign32(context, &signature, hash, &keypair, hash)
        return signature
    }
}
