/// Reads consecutive big-endian items from a buffer, without copying it.
public struct ByteReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    /// Reads a whole array.
    public init(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    /// Reads a slice; offsets count from its start.
    public init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        self.position = bytes.startIndex
    }

    /// Bytes read so far.
    public var offset: Int { position - bytes.startIndex }
    /// Bytes left.
    public var remaining: Int { bytes.endIndex - position }
    /// Whether nothing is left.
    public var isAtEnd: Bool { position == bytes.endIndex }

    /// The next byte. Throws `truncated`.
    public mutating func readByte() throws(CodingFault) -> UInt8 {
        guard !isAtEnd else { throw CodingFault(.truncated, at: offset) }
        defer { position += 1 }
        return bytes[position]
    }

    /// The next 2 bytes as a number. Throws `truncated`.
    public mutating func readUInt16() throws(CodingFault) -> UInt16 {
        UInt16(truncatingIfNeeded: number(try read(2)))
    }

    /// The next 4 bytes as a number. Throws `truncated`.
    public mutating func readUInt32() throws(CodingFault) -> UInt32 {
        UInt32(truncatingIfNeeded: number(try read(4)))
    }

    /// The next 8 bytes as a number. Throws `truncated`.
    public mutating func readUInt64() throws(CodingFault) -> UInt64 {
        number(try read(8))
    }

    /// The next `count` bytes, as a slice of the buffer. Throws `truncated`, also for a negative count.
    public mutating func read(_ count: Int) throws(CodingFault) -> ArraySlice<UInt8> {
        guard (0...remaining).contains(count) else { throw CodingFault(.truncated, at: offset) }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// All remaining bytes, as a slice of the buffer.
    public mutating func readRemaining() -> ArraySlice<UInt8> {
        defer { position = bytes.endIndex }
        return bytes[position...]
    }

    /// A bigsize (BOLT 1, "Fundamental Types"): 1, 3, 5 or 9 bytes, the fewest that hold the number.
    ///
    /// Throws `truncated` or `notMinimal`, at the first byte of the bigsize.
    public mutating func readBigSize() throws(CodingFault) -> UInt64 {
        let start = offset
        let first = try readByte()
        guard first >= 0xfd else { return UInt64(first) }
        let count = first == 0xfd ? 2 : first == 0xfe ? 4 : 8
        guard count <= remaining else { throw CodingFault(.truncated, at: start) }
        let value = number(try read(count))
        let minimum: UInt64 = first == 0xfd ? 0xfd : first == 0xfe ? 0x1_0000 : 0x1_0000_0000
        guard value >= minimum else { throw CodingFault(.notMinimal, at: start) }
        return value
    }

    /// A truncated integer (BOLT 1: tu16, tu32, tu64): all remaining bytes, at most 8, without leading zero bytes; empty
    /// means zero.
    ///
    /// Throws `tooLong` or `leadingZero`.
    public mutating func readTruncated<T: FixedWidthInteger & UnsignedInteger>(
        _ type: T.Type
    ) throws(CodingFault) -> T {
        guard remaining <= min(T.bitWidth, UInt64.bitWidth) / 8 else { throw CodingFault(.tooLong, at: offset) }
        guard isAtEnd || bytes[position] != 0 else { throw CodingFault(.leadingZero, at: offset) }
        return T(truncatingIfNeeded: number(readRemaining()))
    }

    /// Throws `trailingBytes` when bytes remain.
    public func requireEnd() throws(CodingFault) {
        guard isAtEnd else { throw CodingFault(.trailingBytes, at: offset) }
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
