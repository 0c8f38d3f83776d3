import LightningCrypto

/// The purpose of a signature: the tag with which the merkle root is hashed (BOLT 12, "Signature Calculation").
struct SignatureTag: Sendable {
    static let invoiceRequest = SignatureTag("lightninginvoice_requestsignature")
    static let invoice = SignatureTag("lightninginvoicesignature")

    /// The type of the record `signature`.
    static let recordType: UInt64 = 240

    private let midstate: SHA256

    private init(_ tag: String) {
        midstate = SHA256(taggedWith: tag)
    }

    /// The 32 bytes that are signed.
    private func hash(of tree: MerkleTree) -> [UInt8] {
        var hash = midstate
        if let root = tree.root { hash.update(root) }
        return hash.finalized()
    }

    func isValid(_ signature: SchnorrSignature, of tree: MerkleTree, by key: PublicKey) -> Bool {
        key.verifies(signature, of: hash(of: tree))
    }

    func sign(
        _ tree: MerkleTree, with key: SecretKey, auxiliaryRandom: [UInt8]?
    ) throws(CryptoFault) -> SchnorrSignature {
        try key.schnorrSignature(of: hash(of: tree), auxiliaryRandom: auxiliaryRandom)
    }
}
