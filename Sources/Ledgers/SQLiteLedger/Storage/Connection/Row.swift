import CSQLite
package import LedgerRecords
package import ResponderModel

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The current row of a statement, valid until its next step: only for whoever reads it.
///
/// Columns count from 0, in the order of the `SELECT`. A column of the wrong type makes the file `corrupt`, since the
/// tables are `STRICT`.
package struct Row: StoredRow {
    private let statement: OpaquePointer
    private let lastColumn: UnsafeMutablePointer<Int32>

    init(of statement: OpaquePointer, _ lastColumn: UnsafeMutablePointer<Int32>) {
        self.statement = statement
        self.lastColumn = lastColumn
    }

    /// The column of that name, or nil: nearly always the one behind the last, since columns are read in their order.
    package func column(named name: StaticString) -> Int32? {
        let count = sqlite3_column_count(statement)
        var column = lastColumn.pointee
        for _ in 0..<count {
            if column >= count { column = 0 }
            let found = sqlite3_column_name(statement, column)
            if let found, strcmp(found, UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)) == 0 {
                lastColumn.pointee = column
                return column
            }
            column += 1
        }
        return nil
    }

    package func value(_ column: Int32) throws(LedgerFault) -> StoredValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(try integer(column))
        case SQLITE_TEXT: .text(try text(column))
        case SQLITE_BLOB: .blob(try blob(column))
        default: throw unexpected(at: column)
        }
    }

    package func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    package func integer(_ column: Int32) throws(LedgerFault) -> Int64 {
        try require(SQLITE_INTEGER, at: column)
        return sqlite3_column_int64(statement, column)
    }

    /// Text, which must be valid UTF-8.
    package func text(_ column: Int32) throws(LedgerFault) -> String {
        try require(SQLITE_TEXT, at: column)
        let start = sqlite3_column_text(statement, column)
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unexpected(at: column) }
        return text
    }

    package func blob(_ column: Int32) throws(LedgerFault) -> [UInt8] {
        try require(SQLITE_BLOB, at: column)
        let start = sqlite3_column_blob(statement, column)
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    package func unexpected(at column: Int32) -> LedgerFault {
        let name = sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "column \(column)"
        return .corrupt("unexpected value in \(name)")
    }

    private func require(_ type: Int32, at column: Int32) throws(LedgerFault) {
        guard sqlite3_column_type(statement, column) == type else { throw unexpected(at: column) }
    }
}
