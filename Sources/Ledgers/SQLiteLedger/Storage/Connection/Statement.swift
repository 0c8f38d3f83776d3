import CSQLite

/// A prepared statement.
final class Statement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    init(_ sql: String, on connection: OpaquePointer) throws(StorageFault) {
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
        guard code == SQLITE_OK, let handle else { throw StorageFault(code: code, handle: connection) }
        self.handle = handle
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Binds the parameters `?1`, `?2`, … in order.
    func bind(_ values: [Value]) throws(StorageFault) {
        var index: Int32 = 0
        for value in values {
            index += 1
            let code = bind(value, at: index)
            guard code == SQLITE_OK else { throw StorageFault(code: code, handle: connection) }
        }
    }

    /// Steps to the next row; false when there is none.
    func step() throws(StorageFault) -> Bool {
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw StorageFault(code: code, handle: connection)
        }
    }

    /// The current row.
    var row: Row { Row(of: handle) }

    /// Resets the statement and clears its values, so that it holds neither a lock nor a secret.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private func bind(_ value: Value, at index: Int32) -> Int32 {
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
