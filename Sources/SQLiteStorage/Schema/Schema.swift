/// The tables of one component, as a list of migrations.
///
/// Several components share one file, each with its own list, in which a released migration is never changed, moved or
/// removed.
public struct Schema: Sendable {
    /// The component's name in the file: `ledger`, `embedded-node`.
    public let component: String
    /// All its migrations, oldest first.
    public let migrations: [Migration]

    /// Describes the tables of a component.
    public init(component: String, migrations: [Migration]) {
        self.component = component
        self.migrations = migrations
    }

    /// A migration.
    public struct Migration: Sendable {
        /// Unique within the component.
        public let name: String
        /// The statements, separated by semicolons.
        public let sql: String

        /// Creates a migration.
        public init(_ name: String, sql: String) {
            self.name = name
            self.sql = sql
        }
    }
}
