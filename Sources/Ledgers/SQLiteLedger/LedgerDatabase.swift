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
        let database = try await Database.open(at: path, timeout: timeout)
        if !migrating, try await !database.isCurrent(.ledger) {
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
        try await LedgerDatabase(in: Database.openReadOnly(at: path), clock: { .now() })
    }

    private init(in database: Database, clock: @escaping WallClock) async throws(LedgerFault) {
        try await database.migrate(to: .ledger)
        self.database = database
        self.clock = clock
    }

    /// The names of its migrations, oldest first.
    package static var migrations: [String] { Schema.ledger.migrations.map(\.name) }

    package func snapshot(to path: String) async throws(LedgerFault) {
        try await database.backup(to: path)
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
        within time: Duration?, _ body: @escaping @Sendable (Connection) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await database.read(body)
    }

    package func write<Result: Sendable>(
        under lease: Lease?, within time: Duration?,
        _ body: @escaping @Sendable (Connection) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await database.write { connection throws(LedgerFault) in
            if let lease { try connection.require(lease) }
            return try body(connection)
        }
    }

    /// Nil: this machine's.
    package func time() async throws(LedgerFault) -> Duration? { nil }

    package func ownTime() throws(LedgerFault) -> StoredValue { try .time(clock()) }

    package func fileProblems() async throws(LedgerFault) -> [String] {
        try await database.integrityProblems()
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

extension Connection {
    /// Goes on only while nobody has taken a lease over, and it was not given back.
    fileprivate func require(_ lease: Lease) throws(LedgerFault) {
        let isHeld = try exists(
            "SELECT 1 FROM lease WHERE name = $1 AND epoch = $2 AND holder IS NOT NULL",
            [.text(lease.name.text), .unsigned(lease.epoch)])
        guard isHeld else { throw .leaseLost }
    }
}
