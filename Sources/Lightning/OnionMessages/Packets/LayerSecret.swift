import LightningCrypto

/// The secret shared by a packet's sender and one node (BOLT 4, "Packet Structure": ss), and the keys derived from it.
struct LayerSecret: Sendable {
    /// The sender's ephemeral key for the node.
    let publicKey: PublicKey
    private let shared: SecretBytes

    // The key of each HMAC is a constant text and the secret its message, so half of the work is precomputed.
    private static let encryption = HMACSHA256.Keyed("rho".utf8)
    private static let authentication = HMACSHA256.Keyed("mu".utf8)
    private static let filling = HMACSHA256.Keyed("pad".utf8)
    private static let nonce = [UInt8](repeating: 0, count: 12)
    private static let blockCount = 64

    /// The node's side; `blindedKey` is that of the id by which the sender addresses the node.
    init(publicKey: PublicKey, blindedKey: SecretKey) throws(CryptoFault) {
        self.publicKey = publicKey
        shared = try blindedKey.sharedSecret(with: publicKey)
    }

    /// The sender's side.
    init(secret: SecretKey, blindedNodeID: PublicKey) throws(CryptoFault) {
        publicKey = secret.publicKey
        shared = try secret.sharedSecret(with: blindedNodeID)
    }

    /// The HMAC of payloads.
    func code(of payloads: [UInt8]) -> [UInt8] {
        HMACSHA256.Keyed(Self.authentication.deriveSecret(from: shared)).authenticate(payloads)
    }

    /// Whether a code is the HMAC of the payloads; constant time.
    func isCode(_ code: [UInt8], of payloads: [UInt8]) -> Bool {
        ConstantTime.equal(self.code(of: payloads), code)
    }

    /// Encrypts or decrypts payloads.
    func crypt(_ payloads: [UInt8]) throws(CryptoFault) -> [UInt8] {
        try ChaCha20.xor(payloads, key: Self.encryption.deriveSecret(from: shared), nonce: Self.nonce)
    }

    /// `count` bytes of the keystream for payloads, starting at byte `start`.
    func stream(from start: Int, count: Int) throws(CryptoFault) -> ArraySlice<UInt8> {
        let (block, skipped) = start.quotientAndRemainder(dividingBy: Self.blockCount)
        return try ChaCha20.keystream(
            key: Self.encryption.deriveSecret(from: shared), nonce: Self.nonce, counter: UInt32(clamping: block),
            count: skipped + count
        ).dropFirst(skipped)
    }

    /// The sender's ephemeral key for the next node, as the node computes it.
    func nextPublicKey() throws(CryptoFault) -> PublicKey {
        try publicKey.tweaked(multiplyingBy: successor)
    }

    /// The same as computed by the sender, who knows its secret.
    func nextSecret(_ secret: SecretKey) throws(CryptoFault) -> SecretKey {
        try secret.tweaked(multiplyingBy: successor)
    }

    private var successor: [UInt8] { SHA256.hash(publicKey.bytes, shared) }

    /// Fills a packet after its last payload, so that the last node cannot tell the length of the route.
    static func padding(of sessionKey: SecretKey, count: Int) throws(CryptoFault) -> [UInt8] {
        let key = sessionKey.withBytes { filling.deriveSecret(from: $0) }
        return try ChaCha20.keystream(key: key, nonce: nonce, count: count)
    }
}
