// What every ledger in a database does is a part of this one.
package import LedgerRecords
import LightningCoding
package import Platform
package import ResponderModel

/// A ledger on a PostgreSQL server, which any number of instances of the service may use at once.
package final class ServerLedger: SQLLedger {
    let database: Database
    let revisionWatch: ChannelWatch
    let replyWatch: ChannelWatch
    package let observers = Observers<LedgerFact>()

    /// Opens a ledger, whose tables `migrate(_:)` has made.
    ///
    /// - Parameters:
    ///   - lanes: how many connections may be open at once.
    ///   - timeout: how long a call takes at most.
    /// - Throws: `olderSchema` and `newerVersion` when this software cannot use the tables.
    package static func open(
        _ server: ServerSettings, lanes: Int = 8, timeout: Duration = .seconds(5)
    ) async throws(LedgerFault) -> ServerLedger {
        let database = try await Database.open(server, lanes: lanes, timeout: timeout)
        do throws(LedgerFault) {
            try await database.admit(.ledger)
        } catch {
            database.close()
            throw error
        }
        return ServerLedger(database)
    }

    /// Makes the tables, or brings them up to date, while older programs use them.
    ///
    /// - Parameters:
    ///   - timeout: as when it is opened.
    ///   - told: called with the name of each migration once it is made.
    package static func migrate(
        _ server: ServerSettings, timeout: Duration = .seconds(5), _ told: (String) -> Void = { _ in }
    ) async throws(LedgerFault) {
        let database = try await Database.open(server, lanes: 1, timeout: timeout)
        defer { database.close() }
        try await database.migrate(to: .ledger, told)
    }

    /// The migrations that the tables have, and the names of all that this software knows.
    package static func migrations(
        of server: ServerSettings, timeout: Duration = .seconds(5)
    ) async throws(LedgerFault) -> (applied: AppliedSchema, known: [String]) {
        let database = try await Database.open(server, lanes: 1, timeout: timeout)
        defer { database.close() }
        let applied = try await database.applied(of: .ledger)
        return (applied, Schema.ledger.migrations.map(\.name))
    }

    private init(_ database: Database) {
        self.database = database
        revisionWatch = ChannelWatch(Self.revisionChannel, of: database, interval: .seconds(2))
        // A channel of this process: only it is told of the replies that it expects.
        let number = UInt64.random(in: 0...UInt64.max)
        replyWatch = ChannelWatch("lightning_responder_replies_\(number)", of: database, interval: .seconds(1))
    }

    package var statistics: LedgerStatistics { database.statistics }

    package func close() async {
        revisionWatch.end()
        replyWatch.end()
        database.close()
    }

    package func read<Result: Sendable>(
        within time: Duration?, _ body: @escaping @Sendable (Session) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await database.session(isWriting: false, within: time, body)
    }

    package func write<Result: Sendable>(
        under lease: Lease?, within time: Duration?,
        _ body: @escaping @Sendable (Session) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await database.session(isWriting: true, within: time) { connection throws(LedgerFault) in
            // What takes long comes before the fence, which keeps the lease from being renewed.
            if let lease, time == nil { connection.add(Self.fence(lease)) }
            let result = try body(connection)
            if let lease, time != nil { connection.add(Self.fence(lease)) }
            return result
        }
    }

    /// In one round trip.
    package func change(
        under lease: Lease?, _ sql: String, _ values: [StoredValue]
    ) async throws(LedgerFault) -> Int {
        try await write(under: lease, [Query(sql, values)])[0].affected
    }

    /// Writes by one statement that returns rows, in one round trip.
    func write<Element>(
        _ sql: String, _ values: [StoredValue], _ read: (Row) throws(LedgerFault) -> Element
    ) async throws(LedgerFault) -> [Element] {
        try await write([Query(sql, values)])[0].rows(read)
    }

    package func time() async throws(LedgerFault) -> Duration? {
        try await first("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now") {
            row throws(LedgerFault) in
            .milliseconds(try row.integer("now"))
        }
    }

    package func ownTime() -> StoredValue { .null }

    /// The server checks its own files.
    package func fileProblems() -> [String] { [] }

    /// Writes statements in one transaction and one round trip.
    ///
    /// - Parameters:
    ///   - lease: a lease that must be held; `leaseLost` is thrown otherwise, and nothing is written.
    ///   - moment: when an invoice among them was issued; the partition of its day is made if it is missing.
    ///   - time: how long it may take, if longer than a payer waits.
    @discardableResult
    func write(
        under lease: Lease? = nil, inPartitionOf moment: UnixTime? = nil, within time: Duration? = nil,
        _ queries: [Query]
    ) async throws(LedgerFault) -> [ResultSet] {
        // What takes long comes before the fence, which keeps the lease from being renewed.
        let fence = lease.map { [Self.fence($0)] } ?? []
        let fenced = time == nil ? fence + queries : queries + fence
        let own = time == nil ? fence.count..<fenced.count : 0..<queries.count
        do throws(LedgerFault) {
            return Array(try await database.write(fenced, within: time)[own])
        } catch .missingPartition {
            guard let moment else { throw .missingPartition }
            try await makePartition(for: moment)
            return Array(try await database.write(fenced, within: time)[own])
        }
    }

    /// Ends a transaction unless a lease is held, and keeps others from taking it until it is committed.
    static func fence(_ lease: Lease) -> Query {
        Query("SELECT require_lease($1, $2)", [.text(lease.name.text), .integer(Int64(clamping: lease.epoch))])
    }
}
