import CSQLite
package import LedgerRecords

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
    private var isDurable = true
    private var idleStatements: [String: Statement] = [:]

    /// Opens a file in WAL mode; commits are synced to disk before they return, unless `setDurable(_:)` says otherwise.
    ///
    /// For writing, a missing file is created, accessible by its owner only.
    ///
    /// - Parameter timeout: how long to wait for another connection's lock.
    package init(
        path: String,
        access: Access,
        timeout: Duration = .seconds(5)
    ) throws(StorageFault) {
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
        }
        try script("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF")
    }

    deinit {
        idleStatements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Whether commits are synced to disk before they return. A synced one makes all before it durable too.
    func setDurable(_ isWanted: Bool) throws(StorageFault) {
        guard isWanted != isDurable else { return }
        try script("PRAGMA synchronous = \(isWanted ? "FULL" : "NORMAL")")
        isDurable = isWanted
    }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs statements without parameters, separated by semicolons.
    package func script(_ sql: String) throws(StorageFault) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw StorageFault(code: code, handle: handle) }
    }

    /// Runs one statement; returns how many rows it changed.
    @discardableResult
    package func run(_ sql: String, _ values: [StoredValue] = []) throws(StorageFault) -> Int {
        try withStatement(sql, values) { statement throws(StorageFault) in
            while try statement.step() {}
            return Int(sqlite3_changes(handle))
        }
    }

    /// The first row of a query, or nil.
    package func first<Element>(
        _ sql: String,
        _ values: [StoredValue] = [],
        read: (borrowing Row) throws(StorageFault) -> Element
    ) throws(StorageFault) -> Element? {
        try withStatement(sql, values) { statement throws(StorageFault) in
            try statement.step() ? try read(statement.row) : nil
        }
    }

    package func rows<Element>(
        _ sql: String,
        _ values: [StoredValue] = [],
        read: (borrowing Row) throws(StorageFault) -> Element
    ) throws(StorageFault) -> [Element] {
        try withStatement(sql, values) { statement throws(StorageFault) in
            var elements: [Element] = []
            while try statement.step() { elements.append(try read(statement.row)) }
            return elements
        }
    }

    /// Hands over each row of a query, until told to stop.
    package func forEach(
        _ sql: String, _ values: [StoredValue], _ body: (Row) -> Bool
    ) throws(StorageFault) {
        try withStatement(sql, values) { statement throws(StorageFault) in
            while try statement.step(), body(statement.row) {}
        }
    }

    /// Takes the statement out of the cache while in use, so that a nested query gets its own.
    private func withStatement<Result>(
        _ sql: String,
        _ values: [StoredValue],
        _ body: (Statement) throws(StorageFault) -> Result
    ) throws(StorageFault) -> Result {
        let statement =
            if let idle = idleStatements.removeValue(forKey: sql) { idle } else {
                try Statement(sql, on: handle)
            }
        defer {
            statement.reset()
            idleStatements[sql] = statement
        }
        try statement.bind(values)
        return try body(statement)
    }

    static func open(_ path: String, flags: Int32) throws(StorageFault) -> OpaquePointer {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let handle else {
            let fault = StorageFault(code: code, handle: handle)
            sqlite3_close_v2(handle)
            throw fault
        }
        return handle
    }

    /// The most bytes of the write-ahead log that are kept on the disk after a checkpoint.
    static let longestLog = 16 << 20

    /// Two connections that open a new file at once may fail without invoking the busy handler; so wait here.
    private func setWriteAhead() throws(StorageFault) {
        var attempts: Int32 = 0
        while true {
            do throws(StorageFault) {
                let mode = try first("PRAGMA journal_mode = WAL") { row throws(StorageFault) in try row.text(0) }
                guard mode == "wal" else { throw .io(code: SQLITE_CANTOPEN, message: "no write-ahead log is possible") }
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
