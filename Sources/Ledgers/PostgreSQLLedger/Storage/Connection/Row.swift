package import ResponderModel
import CPostgreSQL
package import LedgerRecords

/// A row of a result. Columns count from 0. A column of the wrong type makes the database `corrupt`.
package struct Row: StoredRow {
    private let result: ResultSet
    private let index: Int32

    init(_ index: Int32, of result: ResultSet) {
        self.index = index
        self.result = result
    }

    package func column(named name: StaticString) -> Int32? { result.column(named: name) }

    package func value(_ column: Int32) throws(LedgerFault) -> StoredValue {
        if isNull(column) { return .null }
        return switch PQftype(result.handle, column) {
        case 20, 23, 21: .integer(try integer(column))
        case 17: .blob(try blob(column))
        default: .text(try text(column))
        }
    }

    package func isNull(_ column: Int32) -> Bool {
        PQgetisnull(result.handle, index, column) != 0
    }

    /// An integer of 2, 4 or 8 bytes.
    package func integer(_ column: Int32) throws(LedgerFault) -> Int64 {
        let bytes = try bytes(column, of: [20, 23, 21])
        guard let first = bytes.first, bytes.count <= 8 else { throw unexpected(at: column) }
        return bytes.reduce(first & 0x80 == 0 ? 0 : -1) { $0 << 8 | Int64($1) }
    }

    /// Text, which is valid UTF-8.
    package func text(_ column: Int32) throws(LedgerFault) -> String {
        guard let text = String(validating: try bytes(column, of: [25, 1043, 19]), as: UTF8.self) else {
            throw unexpected(at: column)
        }
        return text
    }

    package func blob(_ column: Int32) throws(LedgerFault) -> [UInt8] {
        Array(try bytes(column, of: [17]))
    }

    package func unexpected(at column: Int32) -> LedgerFault {
        let name = PQfname(result.handle, column).map { String(cString: $0) } ?? "column \(column)"
        return .corrupt("unexpected value in \(name)")
    }

    /// - Parameter types: the numbers of the types that are meant.
    private func bytes(_ column: Int32, of types: [UInt32]) throws(LedgerFault) -> UnsafeBufferPointer<UInt8> {
        guard !isNull(column), types.contains(PQftype(result.handle, column)),
            let start = PQgetvalue(result.handle, index, column)
        else { throw unexpected(at: column) }
        let count = Int(PQgetlength(result.handle, index, column))
        return UnsafeBufferPointer(start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
    }
}
