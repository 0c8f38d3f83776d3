/// The tables of one component, as the steps that led to them.
///
/// Several components keep their tables in one file; each grows by its own list, in which a step that has been released is
/// never changed, moved or taken out.
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

    /// One step.
    public struct Migration: Sendable {
        /// Unique within the component.
        public let name: String
        /// The statements, separated by semicolons.
        public let sql: String

        /// Describes a step.
        public init(_ name: String, sql: String) {
            self.name = name
            self.sql = sql
        }
    }
}
