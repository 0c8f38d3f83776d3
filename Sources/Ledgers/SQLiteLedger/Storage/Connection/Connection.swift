import CSQLite
package import LedgerRecords
package import ResponderModel

/// One connection to a database file, for one thread at a time.
///
/// Prepared statements are cached. SQL is always constant text; values are bound, never interpolated.
package final class Connection {
    package enum Access: Sendable {
        /// Reads only; writes fail.
        case reading
        /// Reads and writes; the file is created if missing.
        case writing
        /// Reads a file without a write-ahead log that cannot change meanwhile, without locks and without creating
        /// other files.
        case readingUnchanged
    }

    let handle: OpaquePointer
    private let busyWait: BusyWait
    /// The pages in the write-ahead log after the last commit.
    private var logPages: Int32 = 0
    private var statements: [String: Statement] = [:]

    /// Opens a file in WAL mode; commits are synced to disk before they return.
    ///
    /// For writing, a missing file is created, accessible by its owner only.
    ///
    /// - Parameter timeout: how long to wait for another connection's lock.
    package init(
        path: String,
        access: Access,
        timeout: Duration = .seconds(5)
    ) throws(LedgerFault) {
        if access == .writing { try DatabaseFile.create(at: path) }
        handle =
            switch access {
            case .reading: try Self.open(path, flags: SQLITE_OPEN_READONLY)
            case .writing: try Self.open(path, flags: SQLITE_OPEN_READWRITE)
            case .readingUnchanged:
                try Self.open(
                    DatabaseFile.address(ofUnchanged: path), flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            }
        busyWait = BusyWait(limit: timeout)
        busyWait.install(on: handle)
        if access == .writing {
            // SQLite opens a read-only file even so, and reports it only on the first write.
            guard sqlite3_db_readonly(handle, "main") == 0 else { throw .readOnly }
            try setWriteAhead()
            countLogPages()
        }
        try script("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF")
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs statements without parameters, separated by semicolons.
    package func script(_ sql: String) throws(LedgerFault) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw LedgerFault(code: code, handle: handle) }
    }

    package func run(_ sql: String, _ values: [StoredValue]) throws(LedgerFault) {
        _ = try changes(sql, values)
    }

    package func changes(_ sql: String, _ values: [StoredValue]) throws(LedgerFault) -> Int {
        try withStatement(sql, values) { statement throws(LedgerFault) in
            while try statement.step() {}
            return Int(sqlite3_changes(handle))
        }
    }

    /// How many rows were changed since the file was opened, but for changes that were undone with their statement.
    var totalChanges: Int64 { sqlite3_total_changes64(handle) }

    package func rows<Element>(
        _ sql: String, _ values: [StoredValue], _ read: (Row) throws(LedgerFault) -> Element
    ) throws(LedgerFault) -> [Element] {
        try withStatement(sql, values) { statement throws(LedgerFault) in
            var elements: [Element] = []
            while try statement.step() { elements.append(try read(statement.row)) }
            return elements
        }
    }

    /// A nested query with the same text gets a statement of its own.
    private func withStatement<Result>(
        _ sql: String,
        _ values: [StoredValue],
        _ body: (Statement) throws(LedgerFault) -> Result
    ) throws(LedgerFault) -> Result {
        let statement: Statement
        if let kept = statements[sql], !kept.isInUse {
            statement = kept
        } else {
            statement = try Statement(sql, on: handle)
            statements[sql] = statement
        }
        statement.isInUse = true
        defer {
            statement.reset()
            statement.isInUse = false
        }
        try statement.bind(values)
        return try body(statement)
    }

    static func open(_ path: String, flags: Int32) throws(LedgerFault) -> OpaquePointer {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let handle else {
            let fault = LedgerFault(code: code, handle: handle)
            sqlite3_close_v2(handle)
            throw fault
        }
        return handle
    }

    /// Writes a write-ahead log of 250 pages or more back to the file. The next write waits for that: it is short rather
    /// than rare. One that fails is tried again after the next commit.
    ///
    /// - Returns: whether the log was long.
    func checkpointLongLog() -> Bool {
        guard logPages >= 250 else { return false }
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        return true
    }

    /// In place of SQLite's own checkpoints, which run inside the commit that makes the log long, so that its callers wait.
    private func countLogPages() {
        let count: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 = {
            connection, _, _, pages in
            guard let connection else { return SQLITE_OK }
            Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue().logPages = pages
            return SQLITE_OK
        }
        sqlite3_wal_hook(handle, count, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The most bytes of the write-ahead log that are kept on the disk after a checkpoint.
    static let longestLog = 16 << 20

    /// Two connections that open a new file at once may fail without invoking the busy handler; so wait here.
    private func setWriteAhead() throws(LedgerFault) {
        var attempts: Int32 = 0
        while true {
            do throws(LedgerFault) {
                let mode = try first("PRAGMA journal_mode = WAL") { row throws(LedgerFault) in
                    try row.text("journal_mode")
                }
                guard mode == "wal" else { throw .storage("no write-ahead log is possible (\(SQLITE_CANTOPEN))") }
                // A log that a long reader has made large is cut when it begins anew.
                try script("PRAGMA journal_size_limit = \(Self.longestLog)")
                return
            } catch {
                guard error == .busy, busyWait.wait(after: attempts) else { throw error }
                attempts += 1
            }
        }
    }
}
