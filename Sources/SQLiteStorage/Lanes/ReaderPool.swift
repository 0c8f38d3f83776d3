import Platform

/// A few readers; a read goes to the one with the shortest queue.
struct ReaderPool: Sendable {
    private let readers: [Reader]
    private let waiting: Guarded<[Int]>

    init(count: Int, path: String, access: Connection.Access = .reading, timeout: Duration) {
        readers = (0..<count).map { _ in Reader(path: path, access: access, timeout: timeout) }
        waiting = Guarded(Array(repeating: 0, count: count))
    }

    func read<Result: Sendable>(
        _ body: @Sendable (Connection) throws(StorageFault) -> Result
    ) async throws(StorageFault) -> Result {
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
