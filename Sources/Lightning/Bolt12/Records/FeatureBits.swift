/// A feature bitmap in BOLT 12: big-endian bytes, bit 0 the lowest of the last one. Kept as received, including leading
/// zero bytes; empty means no features.
public struct FeatureBits: Hashable, Sendable {
    /// The bitmap as encoded in the record.
    public let bytes: [UInt8]

    /// Creates a bitmap from its encoding.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The shortest bitmap with these bits.
    public init(_ bits: Set<UInt16>) {
        var bytes = [UInt8](repeating: 0, count: bits.max().map { Int($0) / 8 + 1 } ?? 0)
        for bit in bits {
            bytes[bytes.count - 1 - Int(bit) / 8] |= 1 << (bit % 8)
        }
        self.bytes = bytes
    }

    /// The set bits, ascending.
    public var bits: [Int] {
        bytes.reversed().enumerated().flatMap { index, byte in
            (0..<8).filter { byte >> $0 & 1 == 1 }.map { index * 8 + $0 }
        }
    }

    /// Whether a bit is set.
    public func contains(_ bit: Int) -> Bool {
        guard bit >= 0, bit / 8 < bytes.count else { return false }
        return bytes[bytes.count - 1 - bit / 8] >> (bit % 8) & 1 == 1
    }

    /// The lowest set even bit not in `known`.
    func firstUnknownEvenBit(known: Set<Int> = []) -> Int? {
        for (index, byte) in bytes.reversed().enumerated() where byte & 0b0101_0101 != 0 {
            let bits = stride(from: 0, to: 8, by: 2).lazy.filter { byte >> $0 & 1 == 1 }.map { index * 8 + $0 }
            if let unknown = bits.first(where: { !known.contains($0) }) { return unknown }
        }
        return nil
    }
}

extension ValueCoding<FeatureBits> {
    /// `...*byte`, a bitmap
    static let features = ValueCoding<[UInt8]>.bytes.map({ FeatureBits(bytes: $0) }, \.bytes)
}
