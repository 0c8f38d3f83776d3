package import ResponderModel

/// A table whose rows are copied from ledger to ledger. It has the same columns in every kind of ledger.
package struct LedgerTable: Hashable, Sendable {
    package let name: String
    /// The first is unique, and orders the rows.
    package let columns: [Column]
    /// Whether the first column is the ledger's own, and differs after a copy.
    package let isNumberedAnew: Bool
    /// Whether there is one row at the most.
    package let isSingle: Bool

    package struct Column: Hashable, Sendable {
        package let name: String
        package let type: ColumnType
    }

    package enum ColumnType: Hashable, Sendable {
        case integer
        case text
        case blob
    }

    /// - Parameter sql: what follows `CREATE TABLE`.
    private init(_ sql: Substring, isNumberedAnew: Bool = false) {
        let words = sql.split(whereSeparator: \.isWhitespace)
        name = String(words[0])
        columns = zip(words, words.dropFirst()).compactMap { name, type in
            let name = String(name.drop { $0 == "(" })
            return switch type.prefix(while: { $0 != "," }) {
            case "INTEGER": Column(name: name, type: .integer)
            case "TEXT": Column(name: name, type: .text)
            case "BLOB": Column(name: name, type: .blob)
            default: nil
            }
        }
        self.isNumberedAnew = isNumberedAnew
        isSingle = sql.contains("CHECK (id = 1)")
    }

    package var columnNames: String { columns.map(\.name).joined(separator: ", ") }

    package static let invoice = LedgerTable(
        "invoice (id INTEGER, \(LedgerSchema.invoiceColumns)", isNumberedAnew: true)

    package static let answeredRequest = LedgerTable(
        "answered_request (digest BLOB, payment_hash BLOB, expires_at INTEGER")

    /// What the numbers in other tables refer to, and the keys: by these a ledger is known.
    package static let identifying = all.filter {
        ["domain", "account", "account_version", "used_keys"].contains($0.name)
    }

    /// Every table, those first that others refer to. Instances and leases belong to what runs, and are not copied.
    package static let all: [LedgerTable] = {
        let shared = LedgerSchema.tables.split(separator: "CREATE TABLE ").map { table in
            LedgerTable(table.split(separator: ") STRICT;", maxSplits: 1)[0])
        }
        return shared.filter { !["instance", "lease", "unfinished_copy"].contains($0.name) } + [
            invoice, answeredRequest,
        ]
    }()
}

extension StoredRow {
    package func columns(of table: LedgerTable) throws(LedgerFault) -> [StoredValue] {
        let values = try values(table.columns.count)
        for (value, column) in zip(values, table.columns) where !value.isOf(column.type) {
            throw .corrupt("unexpected value in \(column.name)")
        }
        return values
    }
}

extension StoredValue {
    fileprivate func isOf(_ type: LedgerTable.ColumnType) -> Bool {
        switch (self, type) {
        case (.null, _), (.integer, .integer), (.text, .text), (.blob, .blob): true
        default: false
        }
    }
}
