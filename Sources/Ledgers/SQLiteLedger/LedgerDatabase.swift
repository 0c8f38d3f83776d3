package import LightningCoding
package import Platform
package import ResponderModel

/// A ledger in a SQLite file that several processes may use at once.
package struct LedgerDatabase: Ledger {
    let database: Database
    let clock: WallClock
    /// Notified of what this process writes.
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
        let database = try await LedgerFault.asking(await Database.open(at: path, timeout: timeout))
        if !migrating, try await !LedgerFault.asking(await database.isCurrent(.ledger)) {
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
        try await LedgerDatabase(in: LedgerFault.asking(await Database.openReadOnly(at: path)), clock: { .now() })
    }

    private init(in database: Database, clock: @escaping WallClock) async throws(LedgerFault) {
        try await LedgerFault.asking(await database.migrate(to: .ledger))
        self.database = database
        self.clock = clock
    }

    /// The names of its migrations, oldest first.
    package static var migrations: [String] { Schema.ledger.migrations.map(\.name) }

    /// Copies the file.
    package func snapshot(to path: String) async throws(LedgerFault) {
        try await LedgerFault.asking(await database.backup(to: path))
    }

    /// The statistics of the writer.
    package var statistics: LedgerStatistics {
        let writer = database.commitStatistics
        return LedgerStatistics(
            commits: writer.commits, writes: writer.writes, time: writer.time, longest: writer.longest)
    }

    /// None: one process serves the file.
    package var sharedRates: (any SharedRates)? { nil }

    /// None: one process writes.
    package var sharedReplies: (any SharedReplies)? { nil }

    /// Finishes submitted work and closes the file.
    package func close() async {
        await database.close()
    }

    func read<Result: Sendable>(
        _ body: @Sendable (Connection) throws(StorageFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await LedgerFault.asking(await database.read(body))
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StorageFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await LedgerFault.asking(await database.write(body))
    }
}
