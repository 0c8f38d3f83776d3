/// The tables of one component, as a list of migrations, in which a released one is never changed, moved or removed.
///
/// Programs of several versions run beside each other. So a migration either expands the tables, which older programs
/// do not notice, or contracts them, which ends the programs that know fewer migrations than it says.
public struct Schema: Sendable {
    /// The component's name in the database: `ledger`.
    public let component: String
    /// All its migrations, oldest first.
    public let migrations: [Migration]

    /// Describes the tables of a component.
    public init(component: String, migrations: [Migration]) {
        self.component = component
        self.migrations = migrations
    }

    /// A migration, made in a transaction of its own.
    public struct Migration: Sendable {
        /// Unique within the component.
        public let name: String
        /// How many migrations a program must know to run after this one: 0 for a migration that expands.
        public let oldestProgram: Int
        /// Its statements, separated by semicolons.
        public let sql: String

        /// A migration after which older programs still run: new tables, columns with constant standards, indexes.
        public static func expand(_ name: String, sql: String) -> Migration {
            Migration(name: name, oldestProgram: 0, sql: sql)
        }

        /// A migration after which only programs run that know so many migrations.
        public static func contract(_ name: String, oldestProgram: Int, sql: String) -> Migration {
            Migration(name: name, oldestProgram: oldestProgram, sql: sql)
        }
    }
}

/// The migrations that a database has.
public struct AppliedSchema: Hashable, Sendable {
    /// A migration that was made.
    public struct Step: Hashable, Sendable {
        /// Its name.
        public let name: String
        /// How many migrations a program must know to run after it: 0 after one that expands.
        public let oldestProgram: Int
    }

    /// All of them, oldest first.
    public let steps: [Step]

    /// Their names.
    public var names: [String] { steps.map(\.name) }

    /// How many migrations a program must know to use the tables.
    public var oldestProgram: Int { steps.map(\.oldestProgram).max() ?? 0 }

    /// Why a program may not use the tables; nil when it may.
    public func obstacle(to schema: Schema) -> StorageFault? {
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
