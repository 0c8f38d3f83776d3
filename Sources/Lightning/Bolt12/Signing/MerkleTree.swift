public import LightningCoding
import LightningCrypto

/// The merkle tree over a document's records (BOLT 12, "Signature Calculation"): hashed as received, without
/// signatures.
public struct MerkleTree: Hashable, Sendable {
    /// One node per record, in order: the record and its nonce.
    private let leaves: [MerkleHash]

    private static let leafTag = SHA256(taggedWith: "LnLeaf")
    private static let branchTag = SHA256(taggedWith: "LnBranch")

    /// `records` must be in increasing order of their types.
    public init(_ records: [TLVRecord]) {
        leaves = records.first.map { Self.leaves(of: records, first: $0) } ?? []
    }

    private init(leaves: [MerkleHash]) {
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
        return level.first?.bytes
    }

    /// The tree with further records after the first `count`; `first` is the document's first record, which every nonce
    /// depends on. An invoice's tree is built this way from that of its request.
    func inserting(_ records: [TLVRecord], after count: Int, first: TLVRecord) -> MerkleTree {
        MerkleTree(leaves: leaves.prefix(count) + Self.leaves(of: records, first: first) + leaves.dropFirst(count))
    }

    private static func leaves(of records: [TLVRecord], first: TLVRecord) -> [MerkleHash] {
        let nonceTag = SHA256(taggedWith: Array("LnNonce".utf8) + first.raw)
        var leaves: [MerkleHash] = []
        leaves.reserveCapacity(records.count)
        for record in records where !TypeRanges.signatures.contains(record.type) {
            leaves.append(branch(hash(record.raw, tag: leafTag), hash(record.encodedType, tag: nonceTag)))
        }
        return leaves
    }

    /// The smaller hash first, so that a proof need not state sides.
    private static func branch(_ one: MerkleHash, _ other: MerkleHash) -> MerkleHash {
        var hash = branchTag
        min(one, other).append(to: &hash)
        max(one, other).append(to: &hash)
        return MerkleHash(hash)
    }

    private static func hash(_ bytes: ArraySlice<UInt8>, tag: SHA256) -> MerkleHash {
        var hash = tag
        hash.update(bytes)
        return MerkleHash(hash)
    }
}

/// A hash in the tree: its 32 bytes as words, since an array for each would cost as much as the hashing.
private struct MerkleHash: Hashable, Comparable {
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt64 = 0
    private var fourth: UInt64 = 0

    init(_ hash: SHA256) {
        withUnsafeMutableBytes(of: &self) { hash.finalize(into: $0) }
    }

    var bytes: [UInt8] { withUnsafeBytes(of: self, Array.init) }

    func append(to hash: inout SHA256) {
        withUnsafeBytes(of: self) { hash.update($0) }
    }

    /// By their bytes.
    static func < (one: MerkleHash, other: MerkleHash) -> Bool {
        (one.first.bigEndian, one.second.bigEndian, one.third.bigEndian, one.fourth.bigEndian)
            < (other.first.bigEndian, other.second.bigEndian, other.third.bigEndian, other.fourth.bigEndian)
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
