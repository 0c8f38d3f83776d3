public import Platform
public import Contracts
public import SQLiteStorage

/// A ledger in a SQLite file, which several processes may use at once.
///
/// The embedded node keeps its tables in the same file, through the same `database`.
public struct LedgerDatabase: Ledger, Outbox {
    /// The file.
    public let database: Database
    /// Who is told of what this process writes down.
    public let observers = Observers<LedgerFact>()

    /// Opens a ledger, which is made when there is none (mode 0600, its folder 0700).
    ///
    /// - Parameter patience: how long to wait for a lock that another process holds, before a call is `busy`.
    public static func open(
        at path: String,
        patience: Duration = .seconds(5)
    ) async throws(LedgerFault) -> LedgerDatabase {
        let database: Database
        do {
            database = try await Database.open(at: path, patience: patience)
        } catch {
            throw LedgerFault(error)
        }
        return try await LedgerDatabase(in: database)
    }

    /// Opens a ledger that is there and that this process may not write: it can be read and examined, and every write throws
    /// `LedgerFault.readOnly`.
    ///
    /// - Throws: `LedgerFault.readOnly` too when it is of an older version, or when its last writes cannot be seen from here.
    public static func openReadOnly(at path: String) async throws(LedgerFault) -> LedgerDatabase {
        let database: Database
        do {
            database = try await Database.openReadOnly(at: path)
        } catch {
            throw LedgerFault(error)
        }
        return try await LedgerDatabase(in: database)
    }

    /// Keeps a ledger in a database that is open, and brings its tables up to date.
    public init(in database: Database) async throws(LedgerFault) {
        do {
            try await database.migrate(to: .ledger)
        } catch {
            throw LedgerFault(error)
        }
        self.database = database
    }

    /// Copies the whole file, the embedded node's tables included, while others go on reading and writing.
    ///
    /// - Parameter path: a file that does not exist; it is made with mode 0600, and is whole and durable on return.
    public func backup(to path: String) async throws(LedgerFault) {
        do {
            try await database.backup(to: path)
        } catch {
            throw LedgerFault(error)
        }
    }

    /// Finishes what was submitted and closes the file.
    public func close() async {
        await database.close()
    }

    func read<Result: Sendable>(
        _ body: @Sendable (Connection) throws(StorageFault) -> Result
    ) async throws(LedgerFault) -> Result {
        do {
            return try await database.read(body)
        } catch {
            throw LedgerFault(error)
        }
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StorageFault) -> Result
    ) async throws(LedgerFault) -> Result {
        do {
            return try await database.write(body)
        } catch {
            throw LedgerFault(error)
        }
    }
}
