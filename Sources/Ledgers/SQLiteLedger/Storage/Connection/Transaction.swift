import LedgerRecords
package import ResponderModel

extension Connection {
    enum TransactionKind: String {
        case reading = "BEGIN DEFERRED"
        /// Reads and writes; takes the lock at once, since a later upgrade may fail without waiting.
        case writing = "BEGIN IMMEDIATE"
    }

    /// Runs a body in a write transaction, which is durable on return. When the body throws, nothing is written.
    package func transaction<Result>(
        _ body: () throws(LedgerFault) -> Result
    ) throws(LedgerFault) -> Result {
        try transaction(.writing, body)
    }

    func transaction<Result>(
        _ kind: TransactionKind,
        _ body: () throws(LedgerFault) -> Result
    ) throws(LedgerFault) -> Result {
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
