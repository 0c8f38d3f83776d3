import Platform
import SQLiteStorage

/// The file of the node's tables, and the ledger's file, where earlier versions kept them.
struct NodeDatabase {
    let path: String
    let formerPath: String?

    /// Opens the file, creating it if missing, and moves tables over that are still in the former one.
    ///
    /// The file is used only once the former one is marked as emptied. Until then what has been copied is copied anew,
    /// so whenever this ends, nothing is lost or doubled.
    func open() async throws(StorageFault) -> Database {
        do {
            if let formerPath, PrivateFile(path: formerPath).exists { try await empty(formerPath) }
            let database = try await Database.open(at: path)
            try await database.migrate(to: .embeddedNode)
            return database
        } catch .readOnly {
            return try await openReadOnly()
        }
    }

    private func empty(_ formerPath: String) async throws(StorageFault) {
        let former = try await Database.open(at: formerPath, readers: 1)
        do throws(StorageFault) {
            try await former.migrate(to: .emptied(into: path))
            await former.close()
        } catch {
            await former.close()
            throw error
        }
    }

    /// Where nothing can be written, the tables are read where they are.
    private func openReadOnly() async throws(StorageFault) -> Database {
        if let formerPath, let former = try? await Database.openReadOnly(at: formerPath) {
            if (try? await former.migrate(to: .formerEmbeddedNode)) != nil { return former }
            await former.close()
        }
        let database = try await Database.openReadOnly(at: path)
        try await database.migrate(to: .embeddedNode)
        return database
    }
}

extension Connection {
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
