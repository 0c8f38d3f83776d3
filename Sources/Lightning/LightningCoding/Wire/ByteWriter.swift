/// Writes consecutive big-endian items.
public struct ByteWriter: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// An empty writer.
    public init() {}

    /// An empty writer with reserved capacity in bytes.
    public init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes one byte.
    public mutating func write(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Writes bytes as they are.
    public mutating func write(_ bytes: some Sequence<UInt8>) {
        self.bytes.append(contentsOf: bytes)
    }

    /// Writes 2 bytes.
    public mutating func writeUInt16(_ value: UInt16) {
        writeInteger(UInt64(value), count: 2)
    }

    /// Writes 4 bytes.
    public mutating func writeUInt32(_ value: UInt32) {
        writeInteger(UInt64(value), count: 4)
    }

    /// Writes 8 bytes.
    public mutating func writeUInt64(_ value: UInt64) {
        writeInteger(value, count: 8)
    }

    /// Writes a bigsize (BOLT 1, "Fundamental Types") in its minimal encoding.
    public mutating func writeBigSize(_ value: UInt64) {
        switch value {
        case ..<0xfd:
            writeInteger(value, count: 1)
        case ...0xffff:
            write(0xfd)
            writeInteger(value, count: 2)
        case ...0xffff_ffff:
            write(0xfe)
            writeInteger(value, count: 4)
        default:
            write(0xff)
            writeInteger(value, count: 8)
        }
    }

    /// Writes a truncated integer (BOLT 1: tu16, tu32, tu64): without leading zero bytes; zero is empty.
    public mutating func writeTruncated(_ value: UInt64) {
        writeInteger(value, count: (value.bitWidth - value.leadingZeroBitCount + 7) / 8)
    }

    private mutating func writeInteger(_ value: UInt64, count: Int) {
        for index in (0..<count).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index)))
        }
    }
}
