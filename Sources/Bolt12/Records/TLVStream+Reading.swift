import LightningCoding

extension TLVStream {
    /// The stream encoded in `text`.
    init(_ text: some StringProtocol, as kind: Bolt12Text.Kind) throws(RecordFault) {
        try self.init(received: Bolt12Text.decode(text, as: kind))
    }

    /// The stream encoded in `bytes`.
    init(received bytes: [UInt8]) throws(RecordFault) {
        self = try rethrowing(TLVStream(parsing: bytes), as: RecordFault.stream)
    }

    /// The records sorted by type. Throws `stream` for a duplicate type.
    init(sorting records: [TLVRecord]) throws(RecordFault) {
        try self.init(ordered: records.sorted { $0.type < $1.type })
    }

    /// The records in the given order. Throws `stream` when that is not the order of their types.
    init(ordered records: [TLVRecord]) throws(RecordFault) {
        self = try rethrowing(TLVStream(records), as: RecordFault.stream)
    }
}
