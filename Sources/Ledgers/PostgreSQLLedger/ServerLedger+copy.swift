package import ResponderModel
package import LedgerRecords
import LightningCoding
import SQLiteLedger

extension ServerLedger {
    package func readRecords<Result: Sendable>(
        _ body: (any RecordReader) async throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        // What is read would lack the rows of a table that is replaced meanwhile.
        let lock = Query("LOCK TABLE ONLY invoice IN ACCESS SHARE MODE")
        return try await database.transaction(.reading, locking: lock, within: .seconds(120)) {
            transaction throws(LedgerFault) in
            // Between two pages the other ledger writes.
            try await transaction.script("SET LOCAL idle_in_transaction_session_timeout = '10min'")
            return try await body(Reader(transaction: transaction))
        }
    }

    private struct Reader: RecordReader {
        let transaction: Transaction

        func rows(
            of table: LedgerTable, after mark: StoredValue?, limit: Int
        ) async throws(LedgerFault) -> (rows: [[StoredValue]], mark: StoredValue?) {
            let key = table.columns[0].name
            let set = try await transaction.run(
                Query(
                    """
                    SELECT \(table.columnNames) FROM \(table.name) \(mark == nil ? "" : "WHERE \(key) > $2")
                    ORDER BY \(key) LIMIT $1
                    """, [.integer(Int64(limit))] + (mark.map { [$0] } ?? [])))
            let rows = try set.rows { row throws(LedgerFault) in try row.columns(of: table) }
            return (rows, rows.last?.first)
        }
    }

    package func add(_ rows: [[StoredValue]], to table: LedgerTable) async throws(LedgerFault) {
        let columns = table.columns.indices.map { index in rows.map { $0[index] } }
        let values = Self.arrays(of: columns, in: table)
        let types = table.columns.map { column in
            switch column.type {
            case .integer: "bigint"
            case .text: "text"
            case .blob: "bytea"
            }
        }
        let arrays = zip(1..., types).map { "$\($0)::\($1)[]" }.joined(separator: ", ")
        var names = table.columnNames
        var selected = names
        if table == .invoice {
            // The number that another ledger gave stays below the second, and orders its invoices.
            selected = "invoice_id(created_at) | (id & 1048575)" + names.dropFirst(2)
            try await makePartitions(for: columns[3])
        }
        if table == .answeredRequest {
            names += ", created_at"
            selected += """
                , coalesce((
                    SELECT invoice.created_at FROM invoice WHERE invoice.payment_hash = copied.payment_hash LIMIT 1), 0)
                """
        }
        let conflict =
            table.isSingle
            ? "(id) DO UPDATE SET " + table.columns.map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", ")
            : "DO NOTHING"
        _ = try await database.write(
            [
                Query(
                    """
                    INSERT INTO \(table.name) (\(names)) SELECT \(selected)
                    FROM unnest(\(arrays)) AS copied (\(table.columnNames)) ON CONFLICT \(conflict)
                    """, values)
            ], within: .seconds(60))
    }

    private func makePartitions(for times: [StoredValue]) async throws(LedgerFault) {
        let days = Set(
            times.map { time in if case .integer(let second) = time { second - second % 86_400 } else { Int64(0) } })
        for day in days.sorted() { try await makePartition(for: UnixTime(UInt64(clamping: day))) }
    }

    private static func arrays(
        of columns: [[StoredValue]], in table: LedgerTable
    ) -> [Value] {
        zip(table.columns, columns).map { column, values in
            switch column.type {
            case .integer: .integers(values.map { if case .integer(let number) = $0 { number } else { nil } })
            case .text: .texts(values.map { if case .text(let text) = $0 { text } else { nil } })
            case .blob: .blobs(values.map { if case .blob(let bytes) = $0 { bytes } else { nil } })
            }
        }
    }

    /// New rows are numbered behind the copied ones.
    package func finishAdding() async throws(LedgerFault) {
        for table in LedgerTable.all
        where table.columns[0].name == "id" && !table.isSingle && !table.isNumberedAnew {
            try await change(
                """
                SELECT setval(pg_get_serial_sequence('\(table.name)', 'id'), max(id)) FROM \(table.name)
                HAVING max(id) IS NOT NULL
                """)
        }
        try await change(
            """
            SELECT setval('registration_version', greatest(max(version), (SELECT last_value FROM registration_version)))
            FROM registration HAVING max(version) IS NOT NULL
            """)
        do throws(LedgerFault) {
            try await replaceTables(at: .now(), under: nil)
        } catch .busy {
            // The upkeep does the rest.
        }
    }
}

extension ServerLedger {
    /// Copies one consistent state into a SQLite ledger: a backup is the same whatever the ledger.
    package func snapshot(to path: String) async throws(LedgerFault) {
        let copy = try await LedgerDatabase.open(at: path)
        do throws(LedgerCopy.Fault) {
            _ = try await LedgerCopy(from: self, to: copy).run()
        } catch {
            await copy.close()
            switch error {
            case .ledger(let fault): throw fault
            case .foreign: throw .storage("\(path) is the ledger of others")
            case .inUse: throw .busy
            case .different(let table, _, _): throw .storage("the copy of \(table) differs")
            }
        }
        await copy.close()
    }
}
