import Platform
import ResponderModel

/// A few readers, each of which takes the next read by itself: a long one delays no other while a reader is free.
final class ReaderPool: Sendable {
    fileprivate typealias Read = @Sendable (isolated Reader) -> Void

    private struct State {
        var idle: [Reader]
        var waiting: [Read] = []
        var isClosed = false
    }

    private let readers: [Reader]
    private let state: Guarded<State>

    init(path: String, access: Connection.Access = .reading, timeout: Duration) {
        readers = (0..<2).map { _ in Reader(path: path, access: access, timeout: timeout) }
        state = Guarded(State(idle: readers))
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        let answer = FirstAnswer<Swift.Result<Result, LedgerFault>>()
        let read: Read = { reader in
            answer.give(Swift.Result { () throws(LedgerFault) in try reader.read(body) })
        }
        let reader = try state.withLock { state throws(LedgerFault) in
            guard !state.isClosed else { throw .closed }
            let reader = state.idle.popLast()
            if reader == nil { state.waiting.append(read) }
            return reader
        }
        reader?.perform(read) { [self] in next(for: $0) }
        return try await answer.value().get()
    }

    /// The next read; nil when there is none, and the reader is idle.
    private func next(for reader: Reader) -> Read? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.idle.append(reader)
            return nil
        }
    }

    /// Finishes what waits; refuses further reads.
    func close() async {
        state.withLock { $0.isClosed = true }
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

    /// Performs a read on this reader's thread, and those that follow it.
    nonisolated fileprivate func perform(
        _ first: @escaping ReaderPool.Read, next: @escaping @Sendable (Reader) -> ReaderPool.Read?
    ) {
        executor.perform {
            self.assumeIsolated { reader in
                var read: ReaderPool.Read? = first
                while let current = read {
                    current(reader)
                    read = next(reader)
                }
            }
        }
    }

    fileprivate func read<Result>(
        _ body: (Connection) throws(LedgerFault) -> Result
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
