import Contracts
import LedgerContract
import LightningCoding
import SQLiteStorage
import Testing

@testable import SQLiteLedger

/// A ledger as an earlier version of this software left it.
enum FormerLedger {
    /// Makes one with the first migrations, up to one of that name, and fills it.
    static func make(
        at path: String, upTo name: String,
        filling fill: @escaping @Sendable (Connection) throws(StorageFault) -> Void
    ) async throws {
        let migrations = Schema.ledger.migrations
        let count = try #require(migrations.firstIndex { $0.name == name }) + 1
        let database = try await Database.open(at: path)
        try await database.migrate(to: Schema(component: "ledger", migrations: Array(migrations.prefix(count))))
        try await database.write { connection throws(StorageFault) in try fill(connection) }
        await database.close()
    }
}
