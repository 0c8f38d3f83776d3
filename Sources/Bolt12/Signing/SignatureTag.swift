import LightningCoding
import LightningCrypto

/// What a signature is for: the tag under which the merkle root is hashed (BOLT 12, "Signature Calculation").
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
    func hash(of records: [TLVRecord]) -> [UInt8] {
        var hash = midstate
        if let root = MerkleTree.root(of: records) { hash.update(root) }
        return hash.finalized()
    }

    func isValid(_ signature: SchnorrSignature, of records: [TLVRecord], by key: PublicKey) -> Bool {
        key.verifies(signature, of: hash(of: records))
    }

    func sign(
        _ records: [TLVRecord], with key: SecretKey, auxiliaryRandom: [UInt8]?
    ) throws(CryptoFault) -> SchnorrSignature {
        try key.schnorrSignature(of: hash(of: records), auxiliaryRandom: auxiliaryRandom)
    }
}
