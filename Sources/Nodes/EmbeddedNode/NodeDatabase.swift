import LightningCoding
import Platform
import SQLiteLedger

/// The file of the node's tables.
struct NodeDatabase {
    let configuration: EmbeddedConfiguration

    /// Opens the file, or makes it if that is allowed. One that cannot be written is read: the node only tells what it knows.
    func open() async throws(EmbeddedFault) -> Database {
        let path = configuration.databasePath
        guard configuration.makesFiles || PrivateFile(path: path).exists else { throw .databaseMissing(path) }
        return try await awaiting(await openOrMake(path), as: EmbeddedFault.storage)
    }

    private func openOrMake(_ path: String) async throws(StorageFault) -> Database {
        let database: Database
        do {
            database = try await Database.open(at: path)
        } catch .readOnly {
            database = try await Database.openReadOnly(at: path)
        }
        try await database.migrate(to: .embeddedNode)
        return database
    }
}
