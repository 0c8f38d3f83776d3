/// The tables of one component, as a list of migrations.
///
/// Several components share one file, each with its own list, in which a released migration is never changed, moved or
/// removed.
package struct Schema: Sendable {
    /// The component's name in the file: `ledger`, `embedded-node`.
    package let component: String
    /// All its migrations, oldest first.
    package let migrations: [Migration]

    /// Describes the tables of a component.
    package init(component: String, migrations: [Migration]) {
        self.component = component
        self.migrations = migrations
    }

    package struct Migration: Sendable {
        /// Unique within the component.
        package let name: String
        /// Makes the change, within the transaction of all missing migrations.
        package let apply: @Sendable (Connection) throws(StorageFault) -> Void

        package init(_ name: String, apply: @escaping @Sendable (Connection) throws(StorageFault) -> Void) {
            self.name = name
            self.apply = apply
        }

        package init(_ name: String, sql: String) {
            self.init(name) { connection throws(StorageFault) in try connection.script(sql) }
        }
    }
}
