extension Connection {
    /// What a transaction may do.
    enum TransactionKind: String {
        /// Reads, all of one state of the database.
        case reading = "BEGIN DEFERRED"
        /// Reads and writes; takes the lock at once, since a lock taken later may be refused without waiting.
        case writing = "BEGIN IMMEDIATE"
    }

    /// Runs a body in a transaction for writing, which is durable on return. When the body throws, nothing is written.
    public func transaction<Result>(
        _ body: () throws(StorageFault) -> Result
    ) throws(StorageFault) -> Result {
        try transaction(.writing, body)
    }

    func transaction<Result>(
        _ kind: TransactionKind,
        _ body: () throws(StorageFault) -> Result
    ) throws(StorageFault) -> Result {
        try run(kind.rawValue)
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            if isInTransaction { _ = try? run("ROLLBACK") }
            throw error
        }
    }
}
