/// The tables of one component, as a list of migrations.
///
/// Several components share one file, each with its own list, in which a released migration is never changed, moved or
/// removed.
package struct Schema: Sendable {
    /// The component's name in the file: `ledger`, `embedded-node`.
    package let component: String
    /// All its migrations, oldest first.
    package let migrations: [Migration]

    package init(component: String, migrations: [Migration]) {
        self.component = component
        self.migrations = migrations
    }

    package struct Migration: Sendable {
        package let name: String
        /// Its statements, run in the transaction of all missing migrations.
        package let sql: String

        package init(_ name: String, sql: String) {
            self.name = name
            self.sql = sql
        }
    }
}
