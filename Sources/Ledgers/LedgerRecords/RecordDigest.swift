import LightningCoding
import LightningCrypto

/// How many rows there are, and a digest of them that does not depend on their order: the sum of their hashes.
package struct RecordDigest: Hashable, Sendable {
    package private(set) var count = 0
    private var sums: [UInt64] = [0, 0, 0, 0]

    package init() {}

    package mutating func add(_ row: [StoredValue], of table: LedgerTable) {
        var bytes = ByteWriter(capacity: 256)
        for value in row.dropFirst(table.isNumberedAnew ? 1 : 0) {
            switch value {
            case .null: bytes.writeUInt64(0)
            case .integer(let number):
                bytes.writeUInt64(1)
                bytes.writeUInt64(UInt64(bitPattern: number))
            case .text(let text):
                bytes.writeUInt64(2)
                bytes.writeUInt64(UInt64(text.utf8.count))
                bytes.write(Array(text.utf8))
            case .blob(let blob):
                bytes.writeUInt64(3)
                bytes.writeUInt64(UInt64(blob.count))
                bytes.write(blob)
            }
        }
        let hash = SHA256.hash(bytes.bytes)
        for index in sums.indices {
            sums[index] &+= hash[8 * index..<8 * index + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        count += 1
    }

    package var hexadecimal: String {
        Hexadecimal.encode(sums.flatMap { sum in withUnsafeBytes(of: sum.bigEndian) { Array($0) } })
    }
}
