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

/// The specification's names of the record types. Related documents never reuse a type, so one table serves offers,
/// invoice requests and invoices.
public enum RecordName {
    private static let names = Dictionary(
        uniqueKeysWithValues: Namespace.invoice.rows.map { ($0.type, $0.name) })

    /// `offer_issuer_id` for 22; nil for an unknown type.
    public static func name(ofType type: UInt64) -> String? {
        names[type]
    }
}

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

/// The types that each document may contain (BOLT 12, the "Requirements" of each).
enum TypeRanges {
    /// Those of an offer, mirrored by every document derived from it.
    static let offer: [ClosedRange<UInt64>] = [1...79, 1_000_000_000...1_999_999_999]
    /// Those of an invoice request except its signature, mirrored by the invoice.
    static let invoiceRequest: [ClosedRange<UInt64>] = [0...159, 1_000_000_000...2_999_999_999]
    /// Signatures, which the merkle tree does not cover.
    static let signatures: ClosedRange<UInt64> = 240...1000
}

extension [ClosedRange<UInt64>] {
    func contain(_ type: UInt64) -> Bool { contains { $0.contains(type) } }
}
