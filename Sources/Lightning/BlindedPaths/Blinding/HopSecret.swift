import LightningCoding
public import LightningCrypto

/// The secret shared by one node of a blinded path and the path's recipient (BOLT 4, "Route Blinding": ss).
public struct HopSecret: Sendable {
    /// The path key that the node received: E.
    public let pathKey: PublicKey
    private let shared: SecretBytes

    // The key of each HMAC is a constant text and the secret its message, so half of the work is precomputed.
    private static let encryption = HMACSHA256.Keyed("rho".utf8)
    private static let blinding = HMACSHA256.Keyed("blinded_node_id".utf8)
    private static let nonce = [UInt8](repeating: 0, count: 12)

    /// The node's side: from the path key that came with the onion. Throws `invalidPublicKey` (never in practice).
    public init(pathKey: PublicKey, nodeKey: SecretKey) throws(CryptoFault) {
        self.pathKey = pathKey
        shared = try nodeKey.sharedSecret(with: pathKey)
    }

    /// The side of the path's creator, who knows the path key's secret: e.
    init(pathSecret: SecretKey, nodeID: PublicKey) throws(CryptoFault) {
        pathKey = pathSecret.publicKey
        shared = try pathSecret.sharedSecret(with: nodeID)
    }

    /// The id under which senders address the node: B.
    func blindedNodeID(of nodeID: PublicKey) throws(CryptoFault) -> PublicKey {
        try nodeID.tweaked(multiplyingBy: Self.blinding.deriveSecret(from: shared))
    }

    /// The key that opens onions made for the blinded id, and signs under it: b.
    public func blindedKey(of nodeKey: SecretKey) throws(CryptoFault) -> SecretKey {
        try nodeKey.tweaked(multiplyingBy: Self.blinding.deriveSecret(from: shared))
    }

    /// Encrypts the data for the node, with a 16-byte tag.
    func seal(_ plaintext: [UInt8]) throws(CryptoFault) -> [UInt8] {
        try ChaCha20Poly1305.seal(plaintext, key: Self.encryption.deriveSecret(from: shared), nonce: Self.nonce)
    }

    /// Decrypts the data.
    public func open(_ encrypted: some Collection<UInt8>) throws(RecipientDataFault) -> RecipientData {
        let key = Self.encryption.deriveSecret(from: shared)
        let plaintext = try rethrowing(
            ChaCha20Poly1305.open(encrypted, key: key, nonce: Self.nonce), as: RecipientDataFault.undecryptable)
        return try RecipientData(parsing: plaintext)
    }

    /// The next node's path key: the override in `data`, else the one derived from this.
    public func nextPathKey(_ data: RecipientData) throws(CryptoFault) -> PublicKey {
        if let override = data.nextPathKeyOverride { return override }
        return try pathKey.tweaked(multiplyingBy: successor)
    }

    /// The secret of the next path key.
    func nextPathSecret(_ pathSecret: SecretKey) throws(CryptoFault) -> SecretKey {
        try pathSecret.tweaked(multiplyingBy: successor)
    }

    private var successor: [UInt8] { SHA256.hash(pathKey.bytes, shared) }
}
