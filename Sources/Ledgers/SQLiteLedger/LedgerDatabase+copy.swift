package import ResponderModel
package import LedgerRecords

extension LedgerDatabase {
    /// Each page is read by itself: nothing may write meanwhile.
    package func readRecords<Result: Sendable>(
        _ body: (any RecordReader) async throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await body(Reader(ledger: self))
    }

    private struct Reader: RecordReader {
        let ledger: LedgerDatabase

        func rows(
            of table: LedgerTable, after mark: StoredValue?, limit: Int
        ) async throws(LedgerFault) -> (rows: [[StoredValue]], mark: StoredValue?) {
            let place: Int64 = if case .integer(let place)? = mark { place } else { .min }
            let found = try await ledger.rows(
                "SELECT \(table.columnNames), rowid AS position FROM \(table.name) WHERE rowid > $1 ORDER BY rowid LIMIT $2",
                [.integer(place), .integer(Int64(limit))]
            ) { row throws(LedgerFault) in
                (columns: try row.columns(of: table), position: try row.integer("position"))
            }
            return (found.map(\.columns), found.last.map { .integer($0.position) })
        }
    }

    package func add(_ rows: [[StoredValue]], to table: LedgerTable) async throws(LedgerFault) {
        let places = (1...table.columns.count).map { "$\($0)" }.joined(separator: ", ")
        let verb = table.isSingle ? "INSERT OR REPLACE" : "INSERT OR IGNORE"
        let sql = "\(verb) INTO \(table.name) (\(table.columnNames)) VALUES (\(places))"
        try await write { connection throws(LedgerFault) in
            for row in rows { try connection.run(sql, row) }
        }
    }

    /// SQLite numbers new rows behind the last one; versions of registrations are counted on from the highest.
    package func finishAdding() async throws(LedgerFault) {
        try await change(
            """
            UPDATE registration_version
            SET version = max(version, (SELECT coalesce(max(version), 0) FROM registration))
            """)
    }
}
