import ResponderModel
import CSQLite
import LedgerRecords

final class Statement {
    var isInUse = false
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    /// Where SQLite has the parameters `$1`, `$2`, …, which it numbers as they come; 0 for one that is not used.
    private let places: [Int32]
    /// The column that was read last, for `Row`.
    private let lastColumn: UnsafeMutablePointer<Int32>

    init(_ sql: String, on connection: OpaquePointer) throws(LedgerFault) {
        var sql = sql
        var handle: OpaquePointer?
        let code = sql.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { text in
                sqlite3_prepare_v3(
                    connection, text.baseAddress, Int32(clamping: text.count), UInt32(SQLITE_PREPARE_PERSISTENT),
                    &handle,
                    nil
                )
            }
        }
        guard code == SQLITE_OK, let handle else { throw LedgerFault(code: code, handle: connection) }
        self.handle = handle
        self.connection = connection
        var places: [Int32] = []
        for place in 0..<sqlite3_bind_parameter_count(handle) {
            guard let name = sqlite3_bind_parameter_name(handle, place + 1).map({ String(cString: $0) }),
                name.utf8.first == UInt8(ascii: "$"), let number = Int(name.dropFirst()), number > 0
            else { continue }
            while places.count < number { places.append(0) }
            places[number - 1] = place + 1
        }
        self.places = places
        lastColumn = .allocate(capacity: 1)
        lastColumn.initialize(to: 0)
    }

    deinit {
        sqlite3_finalize(handle)
        lastColumn.deallocate()
    }

    /// Binds the parameters `?1`, `?2`, …, or `$1`, `$2`, …, in order.
    func bind(_ values: [StoredValue]) throws(LedgerFault) {
        for (index, value) in values.enumerated() {
            let place = index < places.count ? places[index] : Int32(index) + 1
            guard place > 0 else { continue }
            let code = bind(value, at: place)
            guard code == SQLITE_OK else { throw LedgerFault(code: code, handle: connection) }
        }
    }

    /// Steps to the next row; false when there is none.
    func step() throws(LedgerFault) -> Bool {
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw LedgerFault(code: code, handle: connection)
        }
    }

    var row: Row { Row(of: handle, lastColumn) }

    /// Resets the statement and clears its values, so that it holds neither a lock nor a secret.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private func bind(_ value: StoredValue, at index: Int32) -> Int32 {
        switch value {
        case .null:
            return sqlite3_bind_null(handle, index)
        case .integer(let integer):
            return sqlite3_bind_int64(handle, index, integer)
        case .text(var text):
            return text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) { characters in
                    sqlite_bind_copied_text(handle, index, characters.baseAddress, UInt64(characters.count))
                }
            }
        case .blob(let bytes):
            return bytes.withUnsafeBytes { bytes in
                sqlite_bind_copied_blob(handle, index, bytes.baseAddress, UInt64(bytes.count))
            }
        }
    }
}
