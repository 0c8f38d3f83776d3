import ResponderModel
import Platform

/// A connection and its thread. It does one piece of work at a time, which the pool has given it, or serves one caller alone.
actor Lane {
    typealias Work<Value> = @Sendable (Connection) throws(BatchFault) -> Value

    private let executor = BlockingExecutor(label: "postgresql")
    private let connection: Connection

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    static func connected(to server: ServerSettings, statementTimeout: Duration) async throws(LedgerFault) -> Lane {
        let answer = FirstAnswer<Result<Lane, LedgerFault>>()
        let isStarted = DetachedThread.start {
            do throws(LedgerFault) {
                answer.give(.success(Lane(try Connection.open(to: server, statementTimeout: statementTimeout))))
            } catch {
                answer.give(.failure(error))
            }
        }
        guard isStarted else { throw .unreachable("no thread can be started") }
        return try await answer.value().get()
    }

    private init(_ connection: sending Connection) {
        self.connection = connection
    }

    /// The server's process, and whether it is known by another number on the way there.
    var session: (process: Int64, isPooled: Bool) { (connection.serverProcess, connection.isPooled) }

    func perform<Value: Sendable>(_ body: Work<Value>) -> Result<Value, BatchFault> {
        Result { () throws(BatchFault) in try body(connection) }
    }

    /// Does work, and calls back on this thread.
    nonisolated func perform<Value: Sendable>(
        _ body: @escaping Work<Value>, whenDone: @escaping @Sendable (Result<Value, BatchFault>) -> Void
    ) {
        executor.perform { self.assumeIsolated { whenDone($0.perform(body)) } }
    }

    func run(_ queries: [Query], until deadline: MonotonicTime) throws(BatchFault) -> [ResultSet] {
        try connection.run(queries, until: deadline)
    }

    func script(_ sql: String, until deadline: MonotonicTime) throws(BatchFault) {
        try connection.script(sql, until: deadline)
    }
}
