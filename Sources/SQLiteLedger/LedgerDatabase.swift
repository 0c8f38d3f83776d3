import LightningCoding
public import Platform
public import Contracts
public import SQLiteStorage

/// A ledger in a SQLite file that several processes may use at once.
///
/// The embedded node keeps its tables in the same file, through the same `database`.
public struct LedgerDatabase: Ledger, Outbox {
    /// The SQLite database.
    public let database: Database
    /// Notified of what this process writes.
    public let observers = Observers<LedgerFact>()

    /// Opens a ledger, creating it if needed (mode 0600, its folder 0700).
    ///
    /// - Parameter patience: how long to wait for another process's lock before a call fails with `busy`.
    public static func open(
        at path: String,
        patience: Duration = .seconds(5)
    ) async throws(LedgerFault) -> LedgerDatabase {
        let database = try await awaiting(await Database.open(at: path, patience: patience), as: LedgerFault.init)
        return try await LedgerDatabase(in: database)
    }

    /// Opens an existing ledger read-only: every write throws `LedgerFault.readOnly`.
    ///
    /// - Throws: `LedgerFault.readOnly` also when its version is older, or when its last writes cannot be read from
    ///   here.
    public static func openReadOnly(at path: String) async throws(LedgerFault) -> LedgerDatabase {
        let database = try await awaiting(await Database.openReadOnly(at: path), as: LedgerFault.init)
        return try await LedgerDatabase(in: database)
    }

    /// Uses an open database and migrates its tables.
    public init(in database: Database) async throws(LedgerFault) {
        try await awaiting(await database.migrate(to: .ledger), as: LedgerFault.init)
        self.database = database
    }

    /// Copies the whole file, including the embedded node's tables, while others read and write.
    ///
    /// - Parameter path: a file that does not exist; created with mode 0600, complete and durable on return.
    public func backup(to path: String) async throws(LedgerFault) {
        try await awaiting(await database.backup(to: path), as: LedgerFault.init)
    }

    /// Finishes submitted work and closes the file.
    public func close() async {
        await database.close()
    }

    func read<Result: Sendable>(
        _ body: @Sendable (Connection) throws(StorageFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await awaiting(await database.read(body), as: LedgerFault.init)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StorageFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await awaiting(await database.write(body), as: LedgerFault.init)
    }
}
