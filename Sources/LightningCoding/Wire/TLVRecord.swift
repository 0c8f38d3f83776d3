/// One record of a TLV stream as encoded: type, length, value (BOLT 1, "Type-Length-Value Format").
public struct TLVRecord: Hashable, Sendable {
    /// The type, in the stream's namespace.
    public let type: UInt64
    /// The value, a slice of `raw`'s buffer.
    public let value: ArraySlice<UInt8>
    /// The whole record, including type and length.
    public let raw: ArraySlice<UInt8>

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
        self.value = raw.suffix(valueCount)
        self.raw = raw
    }
}
