package import LedgerRecords
package import ResponderModel

extension Database {
    /// Whether this program may use the tables.
    ///
    /// - Throws: `olderSchema`, `newerVersion`; `corrupt` when they are not ours.
    package func admit(_ schema: Schema) async throws(LedgerFault) {
        if let obstacle = try await applied(of: schema).obstacle(to: schema) { throw obstacle }
    }

    package func applied(of schema: Schema) async throws(LedgerFault) -> AppliedSchema {
        do throws(LedgerFault) {
            return try Self.applied(in: try await read(Self.appliedMigrations(of: schema)))
        } catch .olderSchema {
            return AppliedSchema(steps: [])
        }
    }

    /// Makes the tables, or brings them up to date, while older programs use them. One at a time, whoever else tries.
    ///
    /// - Parameter told: called with the name of each migration once it is made.
    /// - Throws: `newerVersion` and `corrupt`, like `admit(_:)`; `busy` when the tables were in use for too long.
    package func migrate(to schema: Schema, _ told: (String) -> Void = { _ in }) async throws(LedgerFault) {
        var attempt = 0
        while true {
            do throws(LedgerFault) {
                guard let name = try await makeNext(of: schema) else { return }
                told(name)
                attempt = 0
            } catch .busy where attempt < 20 {
                attempt += 1
                try? await Task.sleep(for: .milliseconds(100) * (1 + jitter()))
            }
        }
    }

    /// Makes the first missing migration; nil when none is missing.
    private func makeNext(of schema: Schema) async throws(LedgerFault) -> String? {
        try await transaction(.writing, within: .seconds(600)) { transaction throws(LedgerFault) in
            // The wait for a table holds up all who come after it.
            try await transaction.script("SET LOCAL lock_timeout = '500ms'")
            try await transaction.run(
                Query("SELECT 1 FROM pg_advisory_xact_lock(hashtextextended($1, 0))", [.text(schema.component)]))
            try await transaction.script(Self.migrationTable)
            let applied = try Self.applied(in: await transaction.run(Self.appliedMigrations(of: schema)))
            switch applied.obstacle(to: schema) {
            case .olderSchema: break
            case let fault?: throw fault
            case nil: return nil
            }
            let migration = schema.migrations[applied.steps.count]
            try await transaction.script(migration.sql)
            try await transaction.run(
                Query(
                    "INSERT INTO migration (component, number, name, oldest_program) VALUES ($1, $2, $3, $4)",
                    [
                        .text(schema.component), .integer(Int64(applied.steps.count)), .text(migration.name),
                        .integer(Int64(migration.oldestProgram)),
                    ]))
            return migration.name
        }
    }

    private static let migrationTable = """
        CREATE TABLE IF NOT EXISTS migration (
            component text NOT NULL, number bigint NOT NULL, name text NOT NULL, oldest_program bigint NOT NULL,
            PRIMARY KEY (component, number), UNIQUE (component, name)
        )
        """

    private static func appliedMigrations(of schema: Schema) -> Query {
        Query(
            "SELECT name, oldest_program FROM migration WHERE component = $1 ORDER BY number",
            [.text(schema.component)])
    }

    private static func applied(in set: ResultSet) throws(LedgerFault) -> AppliedSchema {
        let steps = try set.rows { row throws(LedgerFault) in
            AppliedSchema.Step(name: try row.text(0), oldestProgram: Int(clamping: try row.integer(1)))
        }
        return AppliedSchema(steps: steps)
    }
}

extension AppliedSchema {
    /// Why a program may not use the tables; nil when it may.
    fileprivate func obstacle(to schema: Schema) -> LedgerFault? {
        let known = schema.migrations.map(\.name)
        guard zip(steps.map(\.name), known).allSatisfy(==) else {
            return .corrupt("the migrations of \(schema.component) are not ours")
        }
        if steps.count < known.count { return .olderSchema(found: steps.count, needed: known.count) }
        if oldestProgram > known.count { return .newerVersion(found: steps.count, supported: known.count) }
        return nil
    }
}
