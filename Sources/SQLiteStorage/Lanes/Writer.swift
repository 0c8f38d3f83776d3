import Platform

/// The only connection of this process that writes. Writes are committed in the order of submission, all waiting ones
/// together.
actor Writer {
    /// Bounds how long other processes wait for the lock; larger groups gain almost nothing.
    private static let largestGroup = 256

    private let executor = BlockingExecutor(label: "sqlite.writer")
    private let queue = Guarded(Queue())
    private var connection: Connection?
    private let statistics = Guarded(CommitStatistics())
    /// The fault thrown while there is no connection.
    private let refusal: StorageFault

    private struct Queue {
        var writes: [PendingWrite] = []
        var isBeingServed = false
        var isClosed = false
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated var commitStatistics: CommitStatistics { statistics.withLock { $0 } }

    init(refusing refusal: StorageFault = .closed) {
        self.refusal = refusal
    }

    func open(path: String, timeout: Duration) throws(StorageFault) {
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

    /// Runs a body outside any transaction.
    func withConnection<Result>(
        _ body: @Sendable (Connection) throws(StorageFault) -> Result
    ) throws(StorageFault) -> Result {
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
            defer { queue.writes.removeAll(keepingCapacity: true) }
            return queue.writes
        }
    }

    private func commit(_ writes: ArraySlice<PendingWrite>) {
        guard let connection else {
            for write in writes { write.fail(refusal) }
            return
        }
        let start = ContinuousClock.now
        GroupCommit(connection: connection).commit(writes)
        let elapsed = start.duration(to: .now)
        statistics.withLock { $0.add(writes: writes.count, in: elapsed) }
    }
}
