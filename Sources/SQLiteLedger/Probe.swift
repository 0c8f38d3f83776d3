public import Contracts
import SQLiteStorage

extension LedgerDatabase {
    /// Proves that the ledger takes writes now, by a row that is added and taken away again in one transaction: its pages are
    /// written all the same.
    public func probe() async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in
            try connection.run("INSERT INTO used_challenge (bytes, expires_at) VALUES (?1, 0)", [.blob(Self.probe)])
            try connection.run("DELETE FROM used_challenge WHERE bytes = ?1", [.blob(Self.probe)])
        }
    }

    /// No challenge: those have 32 bytes.
    private static let probe = Array("probe".utf8)
}
