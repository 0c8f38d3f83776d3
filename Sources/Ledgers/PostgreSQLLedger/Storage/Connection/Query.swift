package import LedgerRecords
import ResponderModel

/// A parameter of a statement, sent in PostgreSQL's binary format.
package enum Value: Hashable, Sendable {
    /// A `bigint`, a `text` or a `bytea`.
    case one(StoredValue)
    /// A `bigint[]`; nil for null.
    case integers([Int64?])
    /// A `text[]`; nil for null.
    case texts([String?])
    /// A `bytea[]`; nil for null.
    case blobs([[UInt8]?])
}

/// A statement, constant text with `$1`, `$2`, … for its values. It is prepared once for each connection.
package struct Query: Hashable, Sendable {
    package let sql: String
    package let values: [Value]

    package init(_ sql: String, _ values: [StoredValue] = []) {
        self.init(sql, values.map(Value.one))
    }

    package init(_ sql: String, _ values: [Value]) {
        self.sql = sql
        self.values = values
    }
}

/// The values of one statement in PostgreSQL's binary format, one behind the other.
///
/// Integers are big-endian; an array is the number of dimensions (1, or 0 when it is empty), a flag for nulls, the type of
/// its elements, their number and the first index, and then each element behind its size.
struct Parameters {
    /// Begins with a byte that belongs to no value, so that an empty one has an address, too.
    private(set) var bytes: [UInt8] = [0]
    /// Where each value is; nil for null.
    private(set) var ranges: [Range<Int>?] = []

    private enum TypeNumber {
        static let blob: Int32 = 17
        static let integer: Int32 = 20
        static let text: Int32 = 25
    }

    init(_ values: [Value]) throws(LedgerFault) {
        ranges.reserveCapacity(values.count)
        for value in values {
            let start = bytes.count
            let isNull = try !append(value)
            ranges.append(isNull ? nil : start..<bytes.count)
        }
        guard bytes.count <= Int(Int32.max) else { throw .unstorable("values of more than 2 GiB") }
    }

    /// - Returns: whether it is more than null.
    private mutating func append(_ value: Value) throws(LedgerFault) -> Bool {
        switch value {
        case .one(.null): return false
        case .one(.integer(let number)): append(number)
        case .one(.text(let text)): try append(text)
        case .one(.blob(let blob)): bytes += blob
        case .integers(let numbers):
            try appendArray(numbers, of: TypeNumber.integer) { (all, number) throws(LedgerFault) in all.append(number)
            }
        case .texts(let texts):
            try appendArray(texts, of: TypeNumber.text) { (all, text) throws(LedgerFault) in try all.append(text) }
        case .blobs(let blobs):
            try appendArray(blobs, of: TypeNumber.blob) { (all, blob) throws(LedgerFault) in all.bytes += blob }
        }
        return true
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    private mutating func append(_ text: String) throws(LedgerFault) {
        guard !text.utf8.contains(0) else { throw .unstorable("a text holds U+0000") }
        bytes += text.utf8
    }

    private mutating func appendArray<Element>(
        _ elements: [Element?], of type: Int32,
        _ append: (inout Parameters, Element) throws(LedgerFault) -> Void
    ) throws(LedgerFault) {
        let hasNulls = elements.contains { $0 == nil }
        for number in [elements.isEmpty ? 0 : 1, hasNulls ? 1 : 0, type] as [Int32] { self.append(number) }
        guard !elements.isEmpty else { return }
        self.append(Int32(clamping: elements.count))
        self.append(Int32(1))
        for element in elements {
            guard let element else {
                self.append(Int32(-1))
                continue
            }
            let place = bytes.count
            self.append(Int32(0))
            try append(&self, element)
            let size = Int32(clamping: bytes.count - place - 4)
            withUnsafeBytes(of: size.bigEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
        }
    }
}
