import Platform
import ResponderModel

/// The only connection of this process that writes. Writes are committed in the order of submission, all waiting ones
/// together.
actor Writer {
    /// Bounds how long other processes wait for the lock; larger groups gain almost nothing.
    private static let largestGroup = 256

    private let executor = BlockingExecutor(label: "sqlite.writer")
    private let queue = Guarded(Queue())
    private var connection: Connection?
    private let statistics = Guarded(LedgerStatistics())
    /// The fault thrown while there is no connection.
    private let refusal: LedgerFault

    private struct Queue {
        var writes: [PendingWrite] = []
        var isBeingServed = false
        var isClosed = false
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated var commitStatistics: LedgerStatistics { statistics.withLock { $0 } }

    init(refusing refusal: LedgerFault = .closed) {
        self.refusal = refusal
    }

    func open(path: String, timeout: Duration) throws(LedgerFault) {
        connection = try Connection(path: path, access: .writing, timeout: timeout)
    }

    nonisolated func submit(_ write: PendingWrite) {
        enum Next { case wait, serve, refuse }
        let next: Next = queue.withLock { queue in
            guard !queue.isClosed else { return .refuse }
            queue.writes.append(write)
            guard !queue.isBeingServed else { return .wait }
            queue.isBeingServed = true
            return .serve
        }
        switch next {
        case .wait: break
        case .serve: executor.perform { self.assumeIsolated { $0.serve() } }
        case .refuse: write.fail(.closed)
        }
    }

    func withConnection<Result>(
        _ body: @Sendable (Connection) throws(LedgerFault) -> Result
    ) throws(LedgerFault) -> Result {
        guard let connection else { throw refusal }
        return try body(connection)
    }

    /// Refuses further writes, finishes those submitted and closes the connection.
    func close() {
        queue.withLock { $0.isClosed = true }
        serve()
        connection = nil
    }

    private func serve() {
        while let writes = nextWrites() {
            for start in stride(from: 0, to: writes.count, by: Self.largestGroup) {
                commit(writes[start..<min(start + Self.largestGroup, writes.count)])
            }
        }
    }

    private func nextWrites() -> [PendingWrite]? {
        queue.withLock { queue in
            guard !queue.writes.isEmpty else {
                queue.isBeingServed = false
                return nil
            }
            let writes = queue.writes
            queue.writes = []
            return writes
        }
    }

    private func commit(_ writes: ArraySlice<PendingWrite>) {
        guard let connection else {
            for write in writes { write.fail(refusal) }
            return
        }
        let start = MonotonicTime.now
        GroupCommit(connection: connection).commit(writes)
        let end = MonotonicTime.now
        statistics.withLock { $0.add(writes: writes.count, in: end - start) }
        guard connection.checkpointLongLog() else { return }
        statistics.withLock { $0.add(checkpointIn: MonotonicTime.now - end) }
    }
}

/// Writes that share one commit, and so one sync to disk.
struct GroupCommit {
    let connection: Connection

    /// Performs the writes in order and commits them; only then is each caller told.
    ///
    /// Nearly always all succeed, and a transaction suffices: a savepoint around each would take a third of the
    /// writer's time. When one throws, or the whole transaction fails, for example because the disk is full, each half
    /// is retried separately, and so on: in the end only what fails is rolled back.
    func commit(_ writes: ArraySlice<PendingWrite>) {
        do {
            for deliver in try connection.transaction({ () throws(LedgerFault) in try perform(writes) }) { deliver() }
        } catch {
            guard writes.count > 1, error != .busy else {
                for write in writes { write.fail(error) }
                return
            }
            let middle = writes.startIndex + writes.count / 2
            commit(writes[..<middle])
            commit(writes[middle...])
        }
    }

    private func perform(_ writes: ArraySlice<PendingWrite>) throws(LedgerFault) -> [PendingWrite.Delivery] {
        var deliveries: [PendingWrite.Delivery] = []
        deliveries.reserveCapacity(writes.count)
        for write in writes { deliveries.append(try write.perform(connection)) }
        return deliveries
    }
}

struct PendingWrite: Sendable {
    typealias Delivery = @Sendable () -> Void

    /// Performs the write. The delivery runs after the commit.
    let perform: @Sendable (Connection) throws(LedgerFault) -> Delivery
    let fail: @Sendable (LedgerFault) -> Void

    init<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(LedgerFault) -> Value,
        whenDone: @escaping @Sendable (Result<Value, LedgerFault>) -> Void
    ) {
        perform = { connection throws(LedgerFault) in
            let before = connection.totalChanges
            do throws(LedgerFault) {
                let value = try body(connection)
                return { whenDone(.success(value)) }
            } catch {
                // One that has written nothing need not hold up those in its group.
                guard connection.isInTransaction, connection.totalChanges == before else { throw error }
                return { whenDone(.failure(error)) }
            }
        }
        fail = { whenDone(.failure($0)) }
    }
}
