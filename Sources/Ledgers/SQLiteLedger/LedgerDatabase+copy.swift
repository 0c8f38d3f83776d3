package import LedgerRecords
package import ResponderModel

extension LedgerDatabase: RecordTarget {
    /// Each page is read by itself: nothing may write meanwhile.
    package func readRecords<Result: Sendable>(
        _ body: (any RecordReader) async throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await body(Reader(ledger: self))
    }

    private struct Reader: RecordReader {
        let ledger: LedgerDatabase

        func rows(
            of table: LedgerTable, after mark: StoredColumn?, limit: Int
        ) async throws(LedgerFault) -> (rows: [[StoredColumn]], mark: StoredColumn?) {
            let place: Int64 = if case .integer(let place)? = mark { place } else { .min }
            return try await ledger.read { connection throws(StorageFault) in
                var last: Int64?
                let rows = try connection.rows(
                    "SELECT \(table.columnNames), rowid FROM \(table.name) WHERE rowid > ?1 ORDER BY rowid LIMIT ?2",
                    [.integer(place), .integer(Int64(limit))]
                ) { row throws(StorageFault) in
                    last = try row.integer(Int32(table.columns.count))
                    return try row.columns(of: table)
                }
                return (rows, last.map { .integer($0) })
            }
        }
    }

    package func unfinishedCopy() async throws(LedgerFault) -> String? {
        try await read { connection throws(StorageFault) in
            try connection.first("SELECT source FROM unfinished_copy") { row throws(StorageFault) in try row.text(0) }
        }
    }

    package func noteUnfinishedCopy(of source: String?) async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in
            guard let source else { return _ = try connection.run("DELETE FROM unfinished_copy") }
            _ = try connection.run(
                "INSERT INTO unfinished_copy (id, source) VALUES (1, ?1) ON CONFLICT (id) DO NOTHING",
                [.text(source)])
        }
    }

    package func add(_ rows: [[StoredColumn]], to table: LedgerTable) async throws(LedgerFault) {
        let places = (1...table.columns.count).map { "?\($0)" }.joined(separator: ", ")
        let verb = table.isSingle ? "INSERT OR REPLACE" : "INSERT OR IGNORE"
        let sql = "\(verb) INTO \(table.name) (\(table.columnNames)) VALUES (\(places))"
        try await write { connection throws(StorageFault) in
            for row in rows { try connection.run(sql, row.map(Value.init)) }
        }
    }

    /// SQLite numbers new rows behind the last one; versions of registrations are counted on from the highest.
    package func finishAdding() async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in
            _ = try connection.run(
                """
                UPDATE registration_version
                SET version = max(version, (SELECT coalesce(max(version), 0) FROM registration))
                """)
        }
    }
}

extension Value {
    fileprivate init(_ column: StoredColumn) {
        self =
            switch column {
            case .null: .null
            case .integer(let number): .integer(number)
            case .text(let text): .text(text)
            case .blob(let bytes): .blob(bytes)
            }
    }
}
