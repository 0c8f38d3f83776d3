import CSecp256k1

/// What libsecp256k1 itself costs where a request is answered: the floor under every BOLT12 invoice with a path of one hop.
struct BareAnswer {
    private let context: OpaquePointer
    private let key: [UInt8]
    private let hash: [UInt8]
    private let payerID: [UInt8]
    private let node: secp256k1_pubkey
    private let signature: [UInt8]

    /// - Parameters:
    ///   - key: 32 bytes, a valid secret key, which plays every part.
    ///   - hash: the 32 bytes that are signed.
    init(key: [UInt8], hash: [UInt8]) {
        context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY))
        // Blinded, as a context for real keys is.
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

    /// The payer's key and his signature.
    func verify() -> Bool {
        var payer = secp256k1_pubkey()
        var xOnly = secp256k1_xonly_pubkey()
        return secp256k1_ec_pubkey_parse(context, &payer, payerID, payerID.count) == 1
            && secp256k1_xonly_pubkey_from_pubkey(context, &xOnly, nil, &payer) == 1
            && secp256k1_schnorrsig_verify(context, signature, hash, hash.count, &xOnly) == 1
    }

    /// A path key, the secret that the node shares by it, the node's blinded id.
    func blind() -> (pathKey: secp256k1_pubkey, shared: [UInt8], blindedID: secp256k1_pubkey) {
        var pathKey = secp256k1_pubkey()
        var blindedID = node
        _ = secp256k1_ec_pubkey_create(context, &pathKey, key)
        let shared = shared(with: node)
        _ = secp256k1_ec_pubkey_tweak_mul(context, &blindedID, hash)
        return (pathKey, shared, blindedID)
    }

    /// A key and the secret that another node shares by it: what a layer of an onion costs its sender.
    func agree() -> (key: secp256k1_pubkey, shared: [UInt8]) {
        var key = secp256k1_pubkey()
        _ = secp256k1_ec_pubkey_create(context, &key, self.key)
        return (key, shared(with: node))
    }

    /// The two points of a message and the two secrets that they give: what a layer costs the node that takes it off.
    func peel() -> [[UInt8]] {
        read(points: 2).map(shared)
    }

    /// Points from their bytes.
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

    /// Under the offer's key, which is computed anew since no key of an offer is kept.
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
