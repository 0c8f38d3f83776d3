public import Contracts
import SQLiteStorage

extension LedgerDatabase {
    /// Checks that the ledger accepts writes, by inserting and deleting a row in one transaction: the pages are written
    /// all the same.
    public func probe() async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in
            try connection.run("INSERT INTO used_challenge (bytes, expires_at) VALUES (?1, 0)", [.blob(Self.probe)])
            try connection.run("DELETE FROM used_challenge WHERE bytes = ?1", [.blob(Self.probe)])
        }
    }

    /// Not a challenge: those have 32 bytes.
    private static let probe = Array("probe".utf8)
}
