// What every ledger in a database does is a part of this one.
package import LedgerRecords
package import LightningCoding
package import Platform
package import ResponderModel

/// A ledger in a SQLite file that several processes may use at once.
package struct LedgerDatabase: SQLLedger {
    let database: Database
    let clock: WallClock
    package let observers = Observers<LedgerFact>()

    /// Opens a ledger, creating it if needed (mode 0600, its folder 0700).
    ///
    /// - Parameters:
    ///   - timeout: how long to wait for another process's lock before a call fails with `busy`.
    ///   - migrating: whether older tables are brought up to date; `usedByOlder` is thrown otherwise.
    ///   - clock: the clock of leases.
    package static func open(
        at path: String,
        timeout: Duration = .seconds(5),
        migrating: Bool = true,
        clock: @escaping WallClock = { .now() }
    ) async throws(LedgerFault) -> LedgerDatabase {
        let database = try await awaiting(await Database.open(at: path, timeout: timeout), as: LedgerFault.init(_:))
        if !migrating, try await !awaiting(await database.isCurrent(.ledger), as: LedgerFault.init(_:)) {
            await database.close()
            throw .usedByOlder
        }
        return try await LedgerDatabase(in: database, clock: clock)
    }

    /// Opens an existing ledger read-only: every write throws `LedgerFault.readOnly`.
    ///
    /// - Throws: `LedgerFault.readOnly` also when its version is older, or when its last writes cannot be read from
    ///   here.
    package static func openReadOnly(at path: String) async throws(LedgerFault) -> LedgerDatabase {
        try await LedgerDatabase(
            in: awaiting(await Database.openReadOnly(at: path), as: LedgerFault.init(_:)), clock: { .now() })
    }

    private init(in database: Database, clock: @escaping WallClock) async throws(LedgerFault) {
        try await awaiting(await database.migrate(to: .ledger), as: LedgerFault.init(_:))
        self.database = database
        self.clock = clock
    }

    /// The names of its migrations, oldest first.
    package static var migrations: [String] { Schema.ledger.migrations.map(\.name) }

    package func snapshot(to path: String) async throws(LedgerFault) {
        try await awaiting(await database.backup(to: path), as: LedgerFault.init(_:))
    }

    package var statistics: LedgerStatistics { database.statistics }

    /// None: one process serves the file.
    package var sharedRates: (any SharedRates)? { nil }

    /// None: one process writes.
    package var sharedReplies: (any SharedReplies)? { nil }

    package func close() async {
        await database.close()
    }

    package func read<Result: Sendable>(
        within time: Duration?, _ body: @escaping @Sendable (FileConnection) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        let outcome: Swift.Result<Result, LedgerFault> = try await awaiting(
            await database.read { connection in
                do throws(LedgerFault) {
                    return .success(try body(FileConnection(connection)))
                } catch {
                    return .failure(error)
                }
            }, as: LedgerFault.init(_:))
        return try outcome.get()
    }

    package func write<Result: Sendable>(
        under lease: Lease?, within time: Duration?,
        _ body: @escaping @Sendable (FileConnection) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        // Why a write was withdrawn that had begun.
        let reason = Guarded<LedgerFault?>(nil)
        let outcome: Swift.Result<Result, LedgerFault>
        do throws(StorageFault) {
            outcome = try await database.write { connection throws(StorageFault) in
                let connection = FileConnection(connection)
                do throws(LedgerFault) {
                    if let lease { try connection.require(lease) }
                    return .success(try body(connection))
                } catch {
                    // One that has written nothing need not hold up those in its group.
                    guard connection.hasWritten else { return .failure(error) }
                    reason.withLock { $0 = error }
                    throw .withdrawn
                }
            }
        } catch {
            throw reason.withLock { $0 }.flatMap { error == .withdrawn ? $0 : nil } ?? LedgerFault(error)
        }
        return try outcome.get()
    }

    /// Nil: this machine's.
    package func time() async throws(LedgerFault) -> Duration? { nil }

    package func ownTime() throws(LedgerFault) -> StoredValue { try .time(clock()) }

    package func fileProblems() async throws(LedgerFault) -> [String] {
        try await awaiting(await database.integrityProblems(), as: LedgerFault.init(_:))
    }

    /// Looks four times a second: SQLite has no way to notify other processes. Its `data_version` would say that
    /// something was written, which in a busy service is always true.
    package func accountsRevision(otherThan known: UInt64) async throws(LedgerFault) -> UInt64 {
        while true {
            let revision = try await accountsRevision()
            guard revision == known, (try? await Task.sleep(for: .milliseconds(250))) != nil else { return revision }
        }
    }
}

extension FileConnection {
    /// Goes on only while nobody has taken a lease over, and it was not given back.
    fileprivate func require(_ lease: Lease) throws(LedgerFault) {
        let isHeld = try exists(
            "SELECT 1 FROM lease WHERE name = $1 AND epoch = $2 AND holder IS NOT NULL",
            [.text(lease.name.text), .unsigned(lease.epoch)])
        guard isHeld else { throw .leaseLost }
    }
}
