/// The tables of one component, as a list of migrations, in which a released one is never changed, moved or removed.
///
/// Programs of several versions run beside each other. So a migration either expands the tables, which older programs
/// do not notice, or contracts them, which ends the programs that know fewer migrations than it says.
package struct Schema: Sendable {
    /// The component's name in the database: `ledger`.
    package let component: String
    /// All its migrations, oldest first.
    package let migrations: [Migration]

    package init(component: String, migrations: [Migration]) {
        self.component = component
        self.migrations = migrations
    }

    /// A migration, made in a transaction of its own.
    package struct Migration: Sendable {
        package let name: String
        /// How many migrations a program must know to run after this one: 0 for a migration that expands.
        package let oldestProgram: Int
        /// Its statements, separated by semicolons.
        package let sql: String

        /// A migration after which older programs still run: new tables, columns with constant standards, indexes.
        package static func expand(_ name: String, sql: String) -> Migration {
            Migration(name: name, oldestProgram: 0, sql: sql)
        }

        /// A migration after which only programs run that know so many migrations.
        package static func contract(_ name: String, oldestProgram: Int, sql: String) -> Migration {
            Migration(name: name, oldestProgram: oldestProgram, sql: sql)
        }
    }
}

package struct AppliedSchema: Hashable, Sendable {
    package struct Step: Hashable, Sendable {
        package let name: String
        /// How many migrations a program must know to run after it: 0 after one that expands.
        package let oldestProgram: Int
    }

    /// All of them, oldest first.
    package let steps: [Step]

    package var names: [String] { steps.map(\.name) }

    /// How many migrations a program must know to use the tables.
    package var oldestProgram: Int { steps.map(\.oldestProgram).max() ?? 0 }

    /// Why a program may not use the tables; nil when it may.
    package func obstacle(to schema: Schema) -> StorageFault? {
        let known = schema.migrations.map(\.name)
        guard zip(names, known).allSatisfy(==) else {
            return .corrupt("the migrations of \(schema.component) are not ours")
        }
        if names.isEmpty { return .missingSchema }
        if names.count < known.count { return .olderSchema(found: names.count, needed: known.count) }
        if oldestProgram > known.count { return .newerSchema(found: names.count, supported: known.count) }
        return nil
    }
}
