import LedgerRecords
import Platform
package import ResponderModel

/// A database on a PostgreSQL server, used over a few connections.
///
/// ```swift
/// let database = try await Database.open(ServerSettings(url: "postgresql:///ledger"))
/// try await database.write([Query("INSERT INTO thing (name) VALUES ($1)", [.text(name)])])
/// ```
package final class Database: Sendable {
    let server: ServerSettings
    let timeout: Duration
    let jitter: @Sendable () -> Double
    private let pool: LanePool
    private let counts = Guarded(LedgerStatistics())

    /// How often a batch is tried that others' changes made fail.
    private static let attempts = 5

    private init(
        _ server: ServerSettings, lanes: Int, timeout: Duration, jitter: @escaping @Sendable () -> Double
    ) {
        self.server = server
        self.timeout = timeout
        self.jitter = jitter
        let statementTimeout = timeout * 2 / 5
        pool = LanePool(most: max(1, lanes), jitter: jitter) { () async throws(LedgerFault) in
            try await Lane.connected(to: server, statementTimeout: statementTimeout)
        }
    }

    /// Connects to a server.
    ///
    /// - Parameters:
    ///   - lanes: how many connections may be open at once.
    ///   - timeout: how long a call takes at most: two fifths to get a connection, two fifths for the statement. Several
    ///     calls for one answer share its `WaitingTime`.
    ///   - jitter: random numbers between 0 and 1, which spread repetitions.
    /// - Throws: why no connection is possible; `transactionPooling`.
    package static func open(
        _ server: ServerSettings,
        lanes: Int = 8,
        timeout: Duration = .seconds(5),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) async throws(LedgerFault) -> Database {
        let database = Database(server, lanes: lanes, timeout: timeout, jitter: jitter)
        do throws(LedgerFault) {
            try await database.requireOwnSessions()
        } catch {
            database.pool.close()
            throw error
        }
        return database
    }

    /// Reads by one statement, on one consistent state. Repeated on another connection when one is lost.
    package func read(_ query: Query) async throws(LedgerFault) -> ResultSet {
        let sets = try await run([query], isWriting: false, within: nil)
        guard let set = sets.last else { throw .corrupt("a statement without a result") }
        return set
    }

    /// Writes by statements in one transaction and one round trip; durable on return.
    ///
    /// - Returns: the result of each statement.
    /// - Throws: `outcomeUnknown` when the server did not answer: the batch was or was not written. After every other
    ///   fault it was not.
    @discardableResult
    package func write(_ queries: [Query], within time: Duration? = nil) async throws(LedgerFault) -> [ResultSet] {
        let start = MonotonicTime.now
        let sets = try await run(queries, isWriting: true, within: time)
        counts.withLock { $0.add(in: MonotonicTime.now - start) }
        return sets
    }

    package var statistics: LedgerStatistics { counts.withLock { $0 } }

    /// Closes the connections that are not in use, and the others when they are free. Later calls throw `closed`.
    package func close() {
        pool.close()
    }

    /// A lane for several calls, whatever they are.
    func lane() async throws(LedgerFault) -> Lane { try await pool.lane(within: timeout * 2 / 5) }

    func takeBack(_ lane: Lane, isLost: Bool) {
        pool.takeBack(lane, isLost: isLost)
    }

    private func run(
        _ queries: [Query], isWriting: Bool, within time: Duration?
    ) async throws(LedgerFault) -> [ResultSet] {
        let queries = time.map { [.statementTimeout($0)] + queries } ?? queries
        let sets = try await perform(isWriting: isWriting, within: time) { connection, deadline throws(BatchFault) in
            try connection.run(queries, until: deadline)
        }
        return Array(sets.dropFirst(time == nil ? 0 : 1))
    }

    /// Reads, or writes in one transaction, by statements of which each may depend on what the ones before it returned. The
    /// body is on a connection's thread. It runs again when another connection may do better.
    ///
    /// - Parameters:
    ///   - kind: nil to read, each statement the state when it runs.
    ///   - time: how long each statement may take, if longer than a call.
    /// - Throws: what the body throws; then nothing is written. Also as `write(_:within:)`.
    func session<Success: Sendable>(
        isWriting: Bool, within time: Duration? = nil,
        _ body: @escaping @Sendable (Session) throws(LedgerFault) -> Success
    ) async throws(LedgerFault) -> Success {
        let start = MonotonicTime.now
        let result = try await perform(isWriting: isWriting, within: time) { connection, deadline throws(BatchFault) in
            let session = Session(on: connection, isWriting: isWriting, statementTimeout: time, until: deadline)
            let result = Result { () throws(LedgerFault) in try body(session) }
            try session.end(commits: (try? result.get()) != nil)
            return result
        }
        if isWriting { counts.withLock { $0.add(in: MonotonicTime.now - start) } }
        return try result.get()
    }

    private func perform<Value: Sendable>(
        isWriting: Bool, within time: Duration?,
        _ body: @escaping @Sendable (Connection, MonotonicTime) throws(BatchFault) -> Value
    ) async throws(LedgerFault) -> Value {
        let start = MonotonicTime.now
        let waiting = WaitingTime.current
        let longest = time.map { $0 + timeout } ?? timeout
        let limit = min(longest, waiting?.left ?? longest)
        let deadline = start + limit
        // Two fifths are for getting a connection.
        let connecting = min(timeout, limit) * 2 / 5
        // What has no time to be answered is not sent: the connection would be lost with it.
        guard start < deadline else { throw .busy }
        defer { waiting?.spend(MonotonicTime.now - start) }
        let timely: Lane.Work<Value> = { connection throws(BatchFault) in
            guard MonotonicTime.now < deadline else { throw .unsent(.busy) }
            return try body(connection, deadline)
        }
        var attempt = 1
        var isReplanned = false
        while true {
            let patience = max(min(connecting, deadline - MonotonicTime.now), .zero)
            let result =
                try await time == nil
                ? pool.perform(within: patience, timely) : performCanceled(within: patience, timely)
            let fault: BatchFault
            switch result {
            case .success(let value): return value
            case .failure(let failure): fault = failure
            }
            if isWriting, fault.mayBeCommitted { throw .outcomeUnknown }
            guard MonotonicTime.now < deadline else { throw fault.fault }
            switch (fault.remedy, fault.fault) {
            case (.repetition, _) where attempt < Self.attempts:
                attempt += 1
                try? await Task.sleep(for: .milliseconds(20) * Double(attempt) * jitter())
            case (.preparation, _) where !isReplanned: isReplanned = true
            // Another connection, or the same server a moment later, may do better. The pool waits between attempts.
            case (nil, .unreachable), (nil, .readOnly): try? await Task.sleep(for: .milliseconds(20))
            default: throw fault.fault
            }
        }
    }

    /// Runs what may take long; the server ends it when the task is canceled.
    private func performCanceled<Value: Sendable>(
        within patience: Duration, _ body: @escaping Lane.Work<Value>
    ) async throws(LedgerFault) -> Result<Value, BatchFault> {
        let lane = try await pool.lane(within: patience)
        let process = await lane.session.process
        let pending = Guarded<Task<Void, Never>?>(nil)
        let result: Result<Value, BatchFault> = await withTaskCancellationHandler {
            Task.isCancelled ? .failure(.unsent(.busy)) : await lane.perform(body)
        } onCancel: {
            // Again and again: it may come before the statement does.
            let task = Task {
                repeat {
                    _ = try? await read(Query("SELECT pg_cancel_backend($1::bigint::int)", [.integer(process)]))
                } while (try? await Task.sleep(for: .milliseconds(100))) != nil
            }
            pending.withLock { $0 = task }
        }
        // Before anybody else gets the connection.
        if let task = pending.withLock({ $0 }) {
            task.cancel()
            await task.value
        }
        takeBack(lane, isLost: result.losesConnection)
        return result
    }
}

extension Query {
    /// Sets how long the statements after it, in the same transaction, may take.
    static func statementTimeout(_ time: Duration) -> Query {
        Query("SELECT set_config('statement_timeout', $1, true)", [.text("\(time.wholeMilliseconds)")])
    }
}
