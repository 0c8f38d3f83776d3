extension Connection {
    enum TransactionKind: String {
        case reading = "BEGIN DEFERRED"
        /// Reads and writes; takes the lock at once, since a later upgrade may fail without waiting.
        case writing = "BEGIN IMMEDIATE"
    }

    /// Runs a body in a write transaction, which is durable on return, except in a `Database` that last wrote only what
    /// may come later (`Database.writeLater`). When the body throws, nothing is written.
    package func transaction<Result>(
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

package enum Value: Hashable, Sendable {
    case null
    /// A signed 64-bit integer.
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// Text, or `null`.
    package static func text(_ text: String?) -> Value {
        text.map { .text($0) } ?? .null
    }

    /// An unsigned integer.
    ///
    /// - Throws: `StorageFault.outOfRange` above 2^63 - 1.
    package static func unsigned(_ number: UInt64) throws(StorageFault) -> Value {
        guard let integer = Int64(exactly: number) else { throw .outOfRange }
        return .integer(integer)
    }
}
