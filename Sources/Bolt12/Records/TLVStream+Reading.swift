import LightningCoding

extension TLVStream {
    /// The stream that `text` spells.
    init(_ text: some StringProtocol, as kind: Bolt12Text.Kind) throws(RecordFault) {
        try self.init(received: Bolt12Text.decode(text, as: kind))
    }

    /// The stream that `bytes` are.
    init(received bytes: [UInt8]) throws(RecordFault) {
        do {
            try self.init(parsing: bytes)
        } catch {
            throw .stream(error)
        }
    }

    /// The records in the order of their types, whichever order they come in. Throws `stream` for a type that comes
    /// twice.
    init(sorting records: [TLVRecord]) throws(RecordFault) {
        try self.init(ordered: records.sorted { $0.type < $1.type })
    }

    /// The records in the order in which they come. Throws `stream` when that is not the order of their types.
    init(ordered records: [TLVRecord]) throws(RecordFault) {
        do {
            try self.init(records)
        } catch {
            throw .stream(error)
        }
    }
}
