package import ResponderModel
package import LedgerRecords

extension Connection {
    /// Migrates a component's tables: all missing steps in one transaction, or none.
    ///
    /// - Throws: `newerVersion` when the file has more steps than `schema`, `corrupt` when it has different ones.
    package func migrate(to schema: Schema) throws(LedgerFault) {
        // Checked without the lock first, since migrations are rare.
        if try isCurrent(schema) { return }
        try transaction { () throws(LedgerFault) in
            try script(Self.migrationTable)
            for migration in try missingMigrations(of: schema) {
                try script(migration.sql)
                try run(
                    "INSERT INTO migration (component, name) VALUES (?1, ?2)",
                    [.text(schema.component), .text(migration.name)]
                )
            }
        }
    }

    /// Whether all migrations of a component are applied.
    ///
    /// - Throws: `newerVersion` and `corrupt`, like `migrate(to:)`.
    func isCurrent(_ schema: Schema) throws(LedgerFault) -> Bool {
        guard try hasMigrations() else { return false }
        return try missingMigrations(of: schema).isEmpty
    }

    private static let migrationTable = """
        CREATE TABLE IF NOT EXISTS migration (
            id INTEGER PRIMARY KEY,
            component TEXT NOT NULL,
            name TEXT NOT NULL,
            UNIQUE (component, name)
        ) STRICT
        """

    private func hasMigrations() throws(LedgerFault) -> Bool {
        try first("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'") { _ in true } ?? false
    }

    private func missingMigrations(of schema: Schema) throws(LedgerFault) -> ArraySlice<Schema.Migration> {
        let applied = try rows(
            "SELECT name FROM migration WHERE component = ?1 ORDER BY id", [.text(schema.component)]
        ) { row throws(LedgerFault) in
            try row.text("name")
        }
        let known = schema.migrations.map(\.name)
        guard applied.count <= known.count else {
            throw .newerVersion(found: applied.count, supported: known.count)
        }
        guard known.starts(with: applied) else {
            throw .corrupt("the migrations of \(schema.component) are not ours")
        }
        return schema.migrations[applied.count...]
    }
}
