public import LightningCoding
import LightningCrypto

/// The merkle root over a document's records (BOLT 12, "Signature Calculation"): hashed as received, signatures left out.
public enum MerkleTree {
    private static let leafTag = SHA256(taggedWith: "LnLeaf")
    private static let branchTag = SHA256(taggedWith: "LnBranch")

    /// 32 bytes; nil without a record. `records` stand in increasing order of their types.
    public static func root(of records: [TLVRecord]) -> [UInt8]? {
        guard let first = records.first else { return nil }
        let nonceTag = SHA256(taggedWith: Array("LnNonce".utf8) + first.raw)
        var level: [[UInt8]] = []
        level.reserveCapacity(records.count)
        for record in records where !TypeRanges.signatures.contains(record.type) {
            level.append(branch(hash(record.raw, tag: leafTag), hash(record.encodedType, tag: nonceTag)))
        }
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: 2).map { index in
                index + 1 < level.count ? branch(level[index], level[index + 1]) : level[index]
            }
        }
        return level.first
    }

    /// The lesser hash first, so that a proof need not say which side it is on.
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
    /// The type as the record writes it: a bigsize of 1, 3, 5 or 9 bytes.
    fileprivate var encodedType: ArraySlice<UInt8> {
        switch type {
        case ..<0xfd: raw.prefix(1)
        case ...0xffff: raw.prefix(3)
        case ...0xffff_ffff: raw.prefix(5)
        default: raw.prefix(9)
        }
    }
}
