/// A TLV stream over its raw bytes (BOLT 1, "Type-Length-Value Format"): types strictly increase, bigsizes are minimal,
/// lengths stay within the stream. It has no namespace: unknown records are kept unchanged.
public struct TLVStream: Hashable, Sendable {
    /// The stream as received or written.
    public let bytes: [UInt8]
    /// Its records, slices of `bytes`.
    public let records: [TLVRecord]

    /// Parses a received stream.
    ///
    /// Throws `truncated`, `notMinimal`, `outOfOrder` or `duplicate`, at the byte where the item starts.
    public init(parsing bytes: [UInt8]) throws(CodingFault) {
        var records: [TLVRecord] = []
        var reader = ByteReader(bytes)
        while !reader.isAtEnd {
            let start = reader.offset
            let type = try reader.readBigSize()
            try Self.requireIncreasing(type, after: records.last, at: start)
            let lengthOffset = reader.offset
            let length = try reader.readBigSize()
            guard let count = Int(exactly: length), count <= reader.remaining else {
                throw CodingFault(.truncated, at: lengthOffset)
            }
            _ = try reader.read(count)
            records.append(TLVRecord(type: type, raw: bytes[start..<reader.offset], valueCount: count))
        }
        self.bytes = bytes
        self.records = records
    }

    /// Joins records to a stream; their types must increase.
    ///
    /// Throws `outOfOrder` or `duplicate`, at the byte where the record would start.
    public init(_ records: [TLVRecord]) throws(CodingFault) {
        var writer = ByteWriter(capacity: records.reduce(0) { $0 + $1.raw.count })
        var previous: TLVRecord?
        for record in records {
            try Self.requireIncreasing(record.type, after: previous, at: writer.bytes.count)
            writer.write(record.raw)
            previous = record
        }
        let bytes = writer.bytes
        var start = 0
        self.records = records.map { record in
            defer { start += record.raw.count }
            let raw = bytes[start..<start + record.raw.count]
            return TLVRecord(type: record.type, raw: raw, valueCount: record.value.count)
        }
        self.bytes = bytes
    }

    /// The record of a type, found by binary search.
    public subscript(_ type: UInt64) -> TLVRecord? {
        var candidates = records[...]
        while let middle = candidates.dropFirst(candidates.count / 2).first {
            if middle.type == type { return middle }
            let half = candidates.count / 2
            candidates = type < middle.type ? candidates.prefix(half) : candidates.dropFirst(half + 1)
        }
        return nil
    }

    /// Streams are equal when their bytes are.
    public static func == (left: Self, right: Self) -> Bool {
        left.bytes == right.bytes
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
    }

    private static func requireIncreasing(
        _ type: UInt64, after previous: TLVRecord?, at offset: Int
    ) throws(CodingFault) {
        guard let previous, previous.type >= type else { return }
        throw CodingFault(previous.type == type ? .duplicate : .outOfOrder, at: offset)
    }
}

/// One record of a TLV stream as encoded: type, length, value (BOLT 1, "Type-Length-Value Format").
public struct TLVRecord: Hashable, Sendable {
    /// The type, in the stream's namespace.
    public let type: UInt64
    /// The whole record, including type and length.
    public let raw: ArraySlice<UInt8>
    private let valueCount: Int

    /// The value, a slice of `raw`'s buffer.
    public var value: ArraySlice<UInt8> { raw.suffix(valueCount) }

    /// A new record with its own buffer.
    public init(type: UInt64, value: some Sequence<UInt8>) {
        let value = Array(value)
        var writer = ByteWriter(capacity: value.count + 18)
        writer.writeBigSize(type)
        writer.writeBigSize(UInt64(value.count))
        writer.write(value)
        self.init(type: type, raw: writer.bytes[...], valueCount: value.count)
    }

    /// A record whose value is the last `valueCount` bytes of `raw`.
    init(type: UInt64, raw: ArraySlice<UInt8>, valueCount: Int) {
        self.type = type
        self.raw = raw
        self.valueCount = valueCount
    }
}
