import LNURL
import LedgerRecords
package import ResponderModel

extension LedgerDatabase {
    /// The work of that id, or nil.
    package func work(_ id: OutboxID) async throws(LedgerFault) -> OutboxWork? {
        try await read { connection throws(StorageFault) in
            try connection.first(
                "SELECT \(OutboxWork.columns) FROM outbox_entry WHERE work_id = ?1", [.text(id.text)],
                read: OutboxWork.init)
        }
    }

    /// A page of work, newest first.
    package func outbox(_ query: OutboxQuery) async throws(LedgerFault) -> OutboxPage {
        let found = try await read { connection throws(StorageFault) in
            try connection.rows(
                """
                SELECT \(OutboxWork.columns), id FROM outbox_entry
                WHERE id < ?1 AND (?3 IS NULL OR account = \(AccountID.number("?3", "?4")))
                    AND (?5 IS NULL OR kind = ?5) AND (?6 IS NULL OR (parked_at IS NOT NULL) = ?6)
                ORDER BY id DESC LIMIT ?2
                """,
                [
                    .integer(query.after?.position ?? .max), .integer(Int64(query.limit) + 1),
                    .text(query.account?.name.text), .text(query.account?.domain.text), .text(query.kind?.rawValue),
                    query.isParked.map { .integer($0 ? 1 : 0) } ?? .null,
                ]
            ) { row throws(StorageFault) in
                (position: try row.integer(OutboxWork.columnCount), element: try OutboxWork(row))
            }
        }
        // One more than requested is read, to know whether there is a next page.
        return Page(of: query.limit, from: found)
    }

    /// How many pieces of work have ids that begin alike.
    package func count(idsFrom beginning: String, upTo most: Int) async throws(LedgerFault) -> Int {
        try await read { connection throws(StorageFault) in
            let count = try connection.first(
                """
                SELECT count(*) FROM (SELECT 1 FROM outbox_entry WHERE work_id BETWEEN ?1 || '0' AND ?1 || 'g' LIMIT ?2)
                """, [.text(beginning), .integer(Int64(clamping: max(most, 0)))]
            ) { row throws(StorageFault) in try row.integer(0) }
            return Int(clamping: count ?? 0)
        }
    }

    /// How much work there is, and how many payments have ever been recorded.
    package func totals() async throws(LedgerFault) -> LedgerTotals {
        try await read { connection throws(StorageFault) in
            let counts = try connection.rows(
                """
                SELECT kind, 0, count(*) FROM outbox_entry WHERE parked_at IS NULL GROUP BY kind
                UNION ALL SELECT kind, 1, count(*) FROM outbox_entry WHERE parked_at IS NOT NULL GROUP BY kind
                """
            ) { row throws(StorageFault) in
                (
                    kind: OutboxKind(rawValue: try row.text(0)), isParked: try row.integer(1) != 0,
                    count: try row.unsigned(2)
                )
            }
            let settlements = try connection.first("SELECT count FROM settlement_total") { row throws(StorageFault) in
                try row.unsigned(0)
            }
            return LedgerTotals(settlements: settlements ?? 0, work: counts)
        }
    }
}

extension OutboxWork {
    /// Takes the parameters that `values` makes, and the holder.
    static let insertion = """
        INSERT INTO outbox_entry (work_id, kind, account, \(others), held_by)
        VALUES (?1, ?2, \(owner("?3", "?4")), ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
        ON CONFLICT (work_id) DO NOTHING
        """
}
