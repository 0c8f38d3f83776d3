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
        /// Makes the change, within the transaction of all missing migrations.
        public let apply: @Sendable (Connection) throws(StorageFault) -> Void

        /// Creates a migration that is more than statements.
        public init(_ name: String, apply: @escaping @Sendable (Connection) throws(StorageFault) -> Void) {
            self.name = name
            self.apply = apply
        }

        /// Creates a migration of statements, separated by semicolons.
        public init(_ name: String, sql: String) {
            self.init(name) { connection throws(StorageFault) in try connection.script(sql) }
        }
    }
}
