public import LightningCoding
import LightningCrypto

/// The merkle tree over a document's records (BOLT 12, "Signature Calculation"): hashed as received, without
/// signatures.
public struct MerkleTree: Hashable, Sendable {
    /// One node per record, in order: the record and its nonce.
    private let leaves: [[UInt8]]

    private static let leafTag = SHA256(taggedWith: "LnLeaf")
    private static let branchTag = SHA256(taggedWith: "LnBranch")

    /// `records` must be in increasing order of their types.
    public init(_ records: [TLVRecord]) {
        leaves = records.first.map { Self.leaves(of: records, first: $0) } ?? []
    }

    private init(leaves: [[UInt8]]) {
        self.leaves = leaves
    }

    /// The 32 bytes that a signature commits to; nil without records.
    public var root: [UInt8]? {
        var level = leaves
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: 2).map { index in
                index + 1 < level.count ? Self.branch(level[index], level[index + 1]) : level[index]
            }
        }
        return level.first
    }

    /// The tree with further records after the first `count`; `first` is the document's first record, which every nonce
    /// depends on. An invoice's tree is built this way from that of its request.
    func inserting(_ records: [TLVRecord], after count: Int, first: TLVRecord) -> MerkleTree {
        MerkleTree(leaves: leaves.prefix(count) + Self.leaves(of: records, first: first) + leaves.dropFirst(count))
    }

    private static func leaves(of records: [TLVRecord], first: TLVRecord) -> [[UInt8]] {
        let nonceTag = SHA256(taggedWith: Array("LnNonce".utf8) + first.raw)
        var leaves: [[UInt8]] = []
        leaves.reserveCapacity(records.count)
        for record in records where !TypeRanges.signatures.contains(record.type) {
            leaves.append(branch(hash(record.raw, tag: leafTag), hash(record.encodedType, tag: nonceTag)))
        }
        return leaves
    }

    /// The smaller hash first, so that a proof need not state sides.
    private static func branch(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        let inOrder = one.lexicographicallyPrecedes(other)
        var hash = branchTag
        hash.update(inOrder ? one : other)
        hash.update(inOrder ? other : one)
        return hash.finalized()
    }

    private static func hash(_ bytes: ArraySlice<UInt8>, tag: SHA256) -> [UInt8] {
        var hash = tag
        hash.update(bytes)
        return hash.finalized()
    }
}

extension TLVRecord {
    /// The type as encoded: a bigsize of 1, 3, 5 or 9 bytes.
    fileprivate var encodedType: ArraySlice<UInt8> {
        switch type {
        case ..<0xfd: raw.prefix(1)
        case ...0xffff: raw.prefix(3)
        case ...0xffff_ffff: raw.prefix(5)
        default: raw.prefix(9)
        }
    }
}

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
