public import Contracts
import PostgreSQLStorage

/// How many locks the server can hold, and how many of them one statement takes that looks through all partitions
/// (PostgreSQL 15, 20.12 Lock Management). When all are taken, statements fail.
public struct LockTable: Hashable, Sendable {
    /// The tables and indexes of all partitions of the invoices.
    public let each: Int
    /// How many locks there are: `max_locks_per_transaction` for each connection that the server allows.
    public let capacity: Int
    /// How many connections the server allows.
    public let connections: Int

    /// Creates figures.
    public init(each: Int, capacity: Int, connections: Int) {
        self.each = each
        self.capacity = capacity
        self.connections = connections
    }

    /// What `max_locks_per_transaction` must be at least for so many statements at once; nil when it is.
    public func needed(for statements: Int) -> Int? {
        let (locks, overflow) = each.multipliedReportingOverflow(by: statements)
        guard overflow || locks > capacity, connections > 0 else { return nil }
        return (overflow ? .max : locks - 1) / connections + 1
    }
}

extension ServerLedger {
    /// The locks of the server, and what the partitions need of them.
    public func lockTable() async throws(LedgerFault) -> LockTable {
        let table = try await first(
            """
            SELECT count(inhrelid) + coalesce(sum((SELECT count(*) FROM pg_index WHERE indrelid = inhrelid)), 0)::bigint,
                current_setting('max_locks_per_transaction')::bigint * connections.count, connections.count
            FROM (
                SELECT current_setting('max_connections')::bigint
                    + current_setting('max_prepared_transactions')::bigint AS count
            ) AS connections LEFT JOIN pg_inherits ON inhparent = 'invoice'::regclass
            GROUP BY connections.count
            """
        ) { row throws(StorageFault) in
            LockTable(
                each: Int(clamping: try row.integer(0)), capacity: Int(clamping: try row.integer(1)),
                connections: Int(clamping: try row.integer(2)))
        }
        guard let table else { throw .corrupt("the settings of the server are gone") }
        return table
    }
}
