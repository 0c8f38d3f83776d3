import LightningCoding

/// A TLV namespace as a table: its rows in the order of the specification, which is by type.
struct Namespace<Fields: Sendable>: Sendable {
    let rows: [Row<Fields>]

    /// Decodes the known records. Unknown odd types are skipped; the stream keeps them.
    func read(_ records: some Sequence<TLVRecord>, into fields: inout Fields) throws(RecordFault) {
        var index = 0
        for record in records {
            while index < rows.count, rows[index].type < record.type { index += 1 }
            guard index < rows.count, rows[index].type == record.type else {
                guard record.type.isMultiple(of: 2) else { continue }
                throw .unknownEvenType(record.type)
            }
            try rethrowing(
                rows[index].read(&fields, record.value), as: { RecordFault.malformed(type: record.type, $0) })
        }
    }

    /// A record for every field that is set, in increasing order.
    func records(of fields: Fields) -> [TLVRecord] {
        rows.compactMap { row in row.write(fields).map { TLVRecord(type: row.type, value: $0) } }
    }

    /// The same table for a type that contains `Fields`.
    func lifted<Whole>(_ part: any WritableKeyPath<Whole, Fields> & Sendable) -> Namespace<Whole> {
        Namespace<Whole>(rows: rows.map { $0.lifted(part) })
    }

    static func + (left: Namespace, right: Namespace) -> Namespace {
        Namespace(rows: left.rows + right.rows)
    }
}

/// One row: a type, the specification's name for it, the field, and the coding of its value.
struct Row<Fields: Sendable>: Sendable {
    let type: UInt64
    let name: String
    let read: @Sendable (inout Fields, ArraySlice<UInt8>) throws(ValueFault) -> Void
    let write: @Sendable (Fields) -> [UInt8]?

    init<Value>(
        _ type: UInt64, _ name: String, _ field: any WritableKeyPath<Fields, Value?> & Sendable,
        _ coding: ValueCoding<Value>
    ) {
        self.type = type
        self.name = name
        read = { fields, bytes throws(ValueFault) in fields[keyPath: field] = try coding.decode(bytes) }
        write = { $0[keyPath: field].map(coding.encode) }
    }

    private init(
        type: UInt64, name: String,
        read: @escaping @Sendable (inout Fields, ArraySlice<UInt8>) throws(ValueFault) -> Void,
        write: @escaping @Sendable (Fields) -> [UInt8]?
    ) {
        self.type = type
        self.name = name
        self.read = read
        self.write = write
    }

    func lifted<Whole>(_ part: any WritableKeyPath<Whole, Fields> & Sendable) -> Row<Whole> {
        let (read, write) = (read, write)
        return Row<Whole>(
            type: type, name: name,
            read: { whole, bytes throws(ValueFault) in try read(&whole[keyPath: part], bytes) },
            write: { write($0[keyPath: part]) })
    }
}
