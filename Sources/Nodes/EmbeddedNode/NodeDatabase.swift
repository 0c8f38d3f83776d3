import LightningCoding
import Platform
import SQLiteLedger

/// The file of the node's tables, and the ledger's file, where earlier versions kept them.
struct NodeDatabase {
    let configuration: EmbeddedConfiguration

    private var path: String { configuration.databasePath }

    /// Opens the file. Tables that are still in the former one are moved over if that is allowed, or else read where
    /// they are.
    ///
    /// The file is used only once the former one is marked as emptied. Until then what has been copied is copied anew,
    /// so whenever this ends, nothing is lost or doubled.
    func open() async throws(EmbeddedFault) -> Database {
        if !configuration.makesFiles {
            if let former = try await awaiting(await former(), as: EmbeddedFault.storage) { return former }
            guard PrivateFile(path: path).exists else { throw .databaseMissing(path) }
        }
        return try await awaiting(await openOrMake(), as: EmbeddedFault.storage)
    }

    private func openOrMake() async throws(StorageFault) -> Database {
        do {
            if configuration.makesFiles { try await emptyFormer() }
            let database = try await Database.open(at: path)
            try await database.migrate(to: .embeddedNode)
            return database
        } catch .readOnly {
            return try await openReadOnly()
        }
    }

    /// - Throws: also `readOnly` when there are tables to move, and this is not allowed.
    private func emptyFormer() async throws(StorageFault) {
        guard let formerPath = configuration.formerPath, PrivateFile(path: formerPath).exists else { return }
        let former = try await Database.open(at: formerPath, readers: 1)
        do throws(StorageFault) {
            try await former.migrate(to: .emptied(into: configuration.movesTables ? path : nil))
            await former.close()
        } catch {
            await former.close()
            throw error
        }
    }

    private func openReadOnly() async throws(StorageFault) -> Database {
        if let former = try await former() { return former }
        let database = try await Database.openReadOnly(at: path)
        try await database.migrate(to: .embeddedNode)
        return database
    }

    /// The former file, to be read, if it still holds the tables.
    private func former() async throws(StorageFault) -> Database? {
        guard let formerPath = configuration.formerPath, PrivateFile(path: formerPath).exists else { return nil }
        let former = try await Database.openReadOnly(at: formerPath)
        do throws(StorageFault) {
            try await former.migrate(to: .formerEmbeddedNode)
            return former
        } catch {
            await former.close()
            switch error {
            // It has been emptied, or never held them.
            case .newerVersion, .readOnly: return nil
            default: throw error
            }
        }
    }
}

extension Connection {
    /// Moves the node's tables, if there are any, into another file, in place of what is there.
    ///
    /// - Parameter path: the other file; nil refuses with `readOnly`.
    func moveNodeTables(to path: String?) throws(StorageFault) {
        let hasTables = try first("SELECT 1 FROM sqlite_schema WHERE name = 'node_invoice'") { _ in true } ?? false
        guard hasTables else { return }
        guard let path else { throw .readOnly }
        try copyNodeTables(to: path)
        try script("DROP TABLE node_settlement; DROP TABLE node_invoice")
    }

    /// Copies the node's tables into another file, in place of what is there; durable on return.
    func copyNodeTables(to path: String) throws(StorageFault) {
        let target = try Connection(path: path, access: .writing)
        try target.migrate(to: .embeddedNode)
        try target.transaction { () throws(StorageFault) in
            try target.script("DELETE FROM node_settlement; DELETE FROM node_invoice")
            _ = try rows(
                "SELECT id, payment_hash, preimage, label, amount, expires_at, is_cancelled FROM node_invoice"
            ) { row throws(StorageFault) in
                _ = try target.run(
                    "INSERT INTO node_invoice VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                    [
                        .integer(try row.integer(0)), .blob(try row.blob(1)), .blob(try row.blob(2)),
                        .text(try row.text(3)), .integer(try row.integer(4)), .integer(try row.integer(5)),
                        .integer(try row.integer(6)),
                    ])
            }
            _ = try rows("SELECT id, invoice, settled_at, received FROM node_settlement") { row throws(StorageFault) in
                _ = try target.run(
                    "INSERT INTO node_settlement VALUES (?1, ?2, ?3, ?4)",
                    [
                        .integer(try row.integer(0)), .integer(try row.integer(1)), .integer(try row.integer(2)),
                        .integer(try row.integer(3)),
                    ])
            }
        }
        // The write-ahead log of a new file may be lost with its folder's entry.
        try target.script("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
