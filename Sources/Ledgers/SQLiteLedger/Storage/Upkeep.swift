import LightningCoding
import CSQLite
import Platform

extension Database {
    /// Copies the current database while others read and write.
    ///
    /// - Parameter path: a file that does not exist yet; it is created with mode 0600, and is complete and durable on
    ///   return.
    package func backup(to path: String) async throws(StorageFault) {
        try await read { connection throws(StorageFault) in try connection.backup(to: path) }
    }

    /// SQLite's integrity check: the problems found, none when all is well.
    package func integrityProblems() async throws(StorageFault) -> [String] {
        try await read { connection throws(StorageFault) in
            let lines = try connection.rows("PRAGMA integrity_check") { row throws(StorageFault) in try row.text(0) }
            let orphans = try connection.rows("PRAGMA foreign_key_check") { row throws(StorageFault) in
                "a row of \(try row.text(0)) refers to none of \(try row.text(2))"
            }
            return lines.filter { $0 != "ok" } + orphans
        }
    }
}

extension Connection {
    /// Copies the current database into a new file; on failure no file is left.
    func backup(to path: String) throws(StorageFault) {
        let file = PrivateFile(path: path)
        try rethrowing(file.create([])) { (fault: PrivateFileFault) in StorageFault(fault) }
        do {
            try copy(to: path)
        } catch {
            file.remove()
            throw error
        }
    }

    private func copy(to path: String) throws(StorageFault) {
        let target = try Self.open(path, flags: SQLITE_OPEN_READWRITE)
        defer { sqlite3_close_v2(target) }
        guard let backup = sqlite3_backup_init(target, "main", handle, "main") else {
            throw StorageFault(code: sqlite3_extended_errcode(target), handle: target)
        }
        sqlite3_backup_step(backup, -1)
        let code = sqlite3_backup_finish(backup)  // repeats the error of the step
        guard code == SQLITE_OK else { throw StorageFault(code: code, handle: target) }
    }
}
