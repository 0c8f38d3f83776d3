package import ResponderModel
import LedgerRecords

/// How many locks the server can hold, and how many of them one statement takes that looks through all partitions
/// (PostgreSQL 15, 20.12 Lock Management). When all are taken, statements fail.
package struct LockTable: Hashable, Sendable {
    package let each: Int
    /// How many locks there are: `max_locks_per_transaction` for each connection that the server allows.
    package let capacity: Int
    package let connections: Int

    /// What `max_locks_per_transaction` must be at least for so many statements at once; nil when it is.
    package func needed(for statements: Int) -> Int? {
        let (locks, overflow) = each.multipliedReportingOverflow(by: statements)
        guard overflow || locks > capacity, connections > 0 else { return nil }
        return (overflow ? .max : locks - 1) / connections + 1
    }
}

extension ServerLedger {
    /// The locks of the server, and what the partitions need of them.
    package func lockTable() async throws(LedgerFault) -> LockTable {
        let table = try await first(
            """
            SELECT count(inhrelid) + coalesce(sum((SELECT count(*) FROM pg_index WHERE indrelid = inhrelid)), 0)::bigint
                AS each,
                current_setting('max_locks_per_transaction')::bigint * connections.count AS capacity, connections.count
            FROM (
                SELECT current_setting('max_connections')::bigint
                    + current_setting('max_prepared_transactions')::bigint AS count
            ) AS connections LEFT JOIN pg_inherits ON inhparent = 'invoice'::regclass
            GROUP BY connections.count
            """
        ) { row throws(LedgerFault) in
            LockTable(
                each: Int(clamping: try row.integer("each")), capacity: Int(clamping: try row.integer("capacity")),
                connections: Int(clamping: try row.integer("count")))
        }
        guard let table else { throw .corrupt("the settings of the server are gone") }
        return table
    }
}
