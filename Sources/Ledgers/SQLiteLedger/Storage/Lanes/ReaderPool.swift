import ResponderModel
import Platform

/// A few readers; a read goes to the one with the shortest queue.
struct ReaderPool: Sendable {
    private let readers: [Reader]
    private let waiting: Guarded<[Int]>

    init(path: String, access: Connection.Access = .reading, timeout: Duration) {
        readers = (0..<2).map { _ in Reader(path: path, access: access, timeout: timeout) }
        waiting = Guarded(Array(repeating: 0, count: readers.count))
    }

    func read<Result: Sendable>(
        _ body: @Sendable (Connection) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        let index = waiting.withLock { waiting in
            let index = waiting.indices.min { waiting[$0] < waiting[$1] } ?? 0
            waiting[index] += 1
            return index
        }
        defer { waiting.withLock { $0[index] -= 1 } }
        return try await readers[index].read(body)
    }

    func close() async {
        for reader in readers { await reader.close() }
    }
}

/// A read-only connection, opened on first use. It never waits for the writer, nor the writer for it.
actor Reader {
    private let executor = BlockingExecutor(label: "sqlite.reader")
    private let path: String
    private let access: Connection.Access
    private let timeout: Duration
    private var state = State.idle

    private enum State {
        case idle
        case open(Connection)
        case closed
    }

    init(path: String, access: Connection.Access, timeout: Duration) {
        self.path = path
        self.access = access
        self.timeout = timeout
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func read<Result>(
        _ body: @Sendable (Connection) throws(LedgerFault) -> Result
    ) throws(LedgerFault) -> Result {
        let connection = try openConnection()
        return try connection.transaction(.reading) { () throws(LedgerFault) in try body(connection) }
    }

    func close() {
        state = .closed
    }

    private func openConnection() throws(LedgerFault) -> Connection {
        switch state {
        case .open(let connection):
            return connection
        case .closed:
            throw .closed
        case .idle:
            let connection = try Connection(path: path, access: access, timeout: timeout)
            state = .open(connection)
            return connection
        }
    }
}
