public import LightningCoding

/// `init`: the first message in each direction (BOLT 1, "The `init` Message").
public struct InitialMessage: Hashable, Sendable {
    /// The features that the node offers and requires; the message's two bitmaps combined.
    public let features: PeerFeatures
    /// The chains that the node supports: 32-byte hashes in internal order; nil when not stated.
    public let chains: [[UInt8]]?

    private static let networks: UInt64 = 1
    private static let chainHashCount = 32

    /// Creates the message.
    public init(features: PeerFeatures, chains: [[UInt8]]?) {
        self.features = features
        self.chains = chains
    }

    /// Whether both sides may be on the same chain: a side that states none matches any.
    public func shares(_ network: Network) -> Bool {
        chains?.contains(network.chainHash) ?? true
    }

    init(from reader: inout ByteReader) throws(PeerMessageFault) {
        let bitmaps = try rethrowing(
            [reader.read(Int(reader.readUInt16())), reader.read(Int(reader.readUInt16()))],
            as: PeerMessageFault.truncated(.initialize))
        features = PeerFeatures(bitmaps: bitmaps)
        guard let records = try? TLVStream(parsing: Array(reader.readRemaining())) else { throw .initialExtension }
        for record in records.records
        where record.type % 2 == 0 { throw .unknownInitialRecord(record.type) }
        chains = try records[Self.networks].map { record throws(PeerMessageFault) in
            guard record.value.count % Self.chainHashCount == 0 else { throw .initialExtension }
            return stride(from: record.value.startIndex, to: record.value.endIndex, by: Self.chainHashCount)
                .map { Array(record.value[$0..<$0 + Self.chainHashCount]) }
        }
    }

    func write(to writer: inout ByteWriter) {
        // The first bitmap is a legacy field limited to the bits below 13.
        writer.writeUInt16(0)
        let bitmap = features.bitmap
        writer.writeUInt16(UInt16(truncatingIfNeeded: bitmap.count))
        writer.write(bitmap)
        if let chains { writer.write(TLVRecord(type: Self.networks, value: chains.joined()).raw) }
    }
}
