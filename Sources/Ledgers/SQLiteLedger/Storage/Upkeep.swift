package import ResponderModel
import LedgerRecords
import LightningCoding
import CSQLite
import Platform

extension Database {
    /// Copies the current database while others read and write.
    ///
    /// - Parameter path: a file that does not exist yet; it is created with mode 0600, and is complete and durable on
    ///   return.
    package func backup(to path: String) async throws(LedgerFault) {
        try await read { connection throws(LedgerFault) in try connection.backup(to: path) }
    }

    /// SQLite's integrity check: the problems found, none when all is well.
    package func integrityProblems() async throws(LedgerFault) -> [String] {
        try await read { connection throws(LedgerFault) in
            let lines = try connection.rows("PRAGMA integrity_check") { row throws(LedgerFault) in
                try row.text("integrity_check")
            }
            let orphans = try connection.rows("PRAGMA foreign_key_check") { row throws(LedgerFault) in
                "a row of \(try row.text("table")) refers to none of \(try row.text("parent"))"
            }
            return lines.filter { $0 != "ok" } + orphans
        }
    }
}

extension Connection {
    /// Copies the current database into a new file; on failure no file is left.
    func backup(to path: String) throws(LedgerFault) {
        let file = PrivateFile(path: path)
        try rethrowing(file.create([])) { (fault: PrivateFileFault) in LedgerFault(fault) }
        do {
            try copy(to: path)
        } catch {
            file.remove()
            throw error
        }
    }

    private func copy(to path: String) throws(LedgerFault) {
        let target = try Self.open(path, flags: SQLITE_OPEN_READWRITE)
        defer { sqlite3_close_v2(target) }
        guard let backup = sqlite3_backup_init(target, "main", handle, "main") else {
            throw LedgerFault(code: sqlite3_extended_errcode(target), handle: target)
        }
        sqlite3_backup_step(backup, -1)
        let code = sqlite3_backup_finish(backup)  // repeats the error of the step
        guard code == SQLITE_OK else { throw LedgerFault(code: code, handle: target) }
    }
}
