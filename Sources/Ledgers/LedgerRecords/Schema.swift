/// The tables of one component, as a list of migrations, in which a released one is never changed, moved or removed. Several
/// components share one file, each with its own list.
///
/// On a server, programs of several versions run beside each other. So a migration either expands the tables, which older
/// programs do not notice, or contracts them, which ends the programs that know fewer migrations than it says. A file has one
/// program, and takes all missing steps at once.
package struct Schema: Sendable {
    /// The component's name in the database: `ledger`, `embedded-node`.
    package let component: String
    /// All its migrations, oldest first.
    package let migrations: [Migration]

    package init(component: String, migrations: [Migration]) {
        self.component = component
        self.migrations = migrations
    }

    package struct Migration: Sendable {
        package let name: String
        /// How many migrations a program must know to run after this one: 0 after new tables, columns with constant
        /// standards and indexes.
        package let oldestProgram: Int
        /// Its statements, separated by semicolons.
        package let sql: String

        package init(_ name: String, oldestProgram: Int = 0, sql: String) {
            self.name = name
            self.oldestProgram = oldestProgram
            self.sql = sql
        }
    }
}

/// The migrations that the tables of a ledger have.
package struct AppliedSchema: Sendable {
    package struct Step: Sendable {
        package let name: String
        /// How many migrations a program must know to run after it: 0 after one that expands.
        package let oldestProgram: Int

        package init(name: String, oldestProgram: Int) {
            self.name = name
            self.oldestProgram = oldestProgram
        }
    }

    /// All of them, oldest first.
    package let steps: [Step]

    package init(steps: [Step]) {
        self.steps = steps
    }

    /// How many migrations a program must know to use the tables.
    package var oldestProgram: Int { steps.map(\.oldestProgram).max() ?? 0 }
}
