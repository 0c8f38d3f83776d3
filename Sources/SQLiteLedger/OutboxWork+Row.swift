import LNURL
public import Contracts
import SQLiteStorage

extension LedgerDatabase {
    /// The work of that id, or nil.
    public func work(_ id: OutboxID) async throws(LedgerFault) -> OutboxWork? {
        try await read { connection throws(StorageFault) in
            try connection.first(
                "SELECT \(OutboxWork.columns) FROM outbox WHERE work_id = ?1", [.text(id.text)], read: OutboxWork.init)
        }
    }

    /// A page of work, newest first.
    public func outbox(_ query: OutboxQuery) async throws(LedgerFault) -> OutboxPage {
        let found = try await read { connection throws(StorageFault) in
            try connection.rows(
                """
                SELECT \(OutboxWork.columns), id FROM outbox
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

    /// How much work there is, and how many payments have ever been recorded.
    public func totals() async throws(LedgerFault) -> LedgerTotals {
        try await read { connection throws(StorageFault) in
            let counts = try connection.rows(
                "SELECT kind, parked_at IS NOT NULL, count(*) FROM outbox GROUP BY 1, 2"
            ) { row throws(StorageFault) in
                (
                    kind: OutboxKind(rawValue: try row.text(0)), isParked: try row.integer(1) != 0,
                    count: try row.unsigned(2)
                )
            }
            let settlements = try connection.first("SELECT count FROM settlement_total") { row throws(StorageFault) in
                try row.unsigned(0)
            }
            func counted(_ isParked: Bool) -> [OutboxKind: UInt64] {
                Dictionary(uniqueKeysWithValues: counts.filter { $0.isParked == isParked }.map { ($0.kind, $0.count) })
            }
            return LedgerTotals(settlements: settlements ?? 0, pending: counted(false), parked: counted(true))
        }
    }
}

extension OutboxWork {
    /// The columns in the order of `init(_:)`.
    static let columns = "work_id, kind, \(AccountID.text(in: "outbox")), \(others)"

    /// The columns after the account.
    private static let others = "payload, created_at, deadline, due_at, parked_at, attempts, failure"

    static let columnCount: Int32 = 10

    static let insertion = """
        INSERT INTO outbox (work_id, kind, account, \(others), held_by)
        VALUES (?1, ?2, \(AccountID.number("?3", "?4")), ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
        ON CONFLICT (work_id) DO NOTHING
        """

    /// The parameters of `insertion`, without the holder.
    func values() throws(StorageFault) -> [Value] {
        let (dueAt, parkedAt): (Value, Value) =
            switch state {
            case .pending(let dueAt): (try .time(dueAt), .null)
            case .parked(let time): (try .time(time), try .time(time))
            }
        return [
            .text(id.text), .text(kind.rawValue), .text(account.name.text), .text(account.domain.text), .blob(payload),
            try .time(createdAt), try deadline.map(Value.time) ?? .null, dueAt, parkedAt, try .unsigned(attempts),
            .text(failure),
        ]
    }

    init(_ row: borrowing Row) throws(StorageFault) {
        self.init(
            id: try row.text(0) { OutboxID($0) },
            kind: OutboxKind(rawValue: try row.text(1)),
            account: try row.text(2) { try AccountID($0) },
            payload: try row.blob(3),
            createdAt: try row.time(4),
            deadline: row.isNull(5) ? nil : try row.time(5),
            state: row.isNull(7) ? .pending(dueAt: try row.time(6)) : .parked(at: try row.time(7)),
            attempts: try row.unsigned(8),
            failure: try row.optionalText(9)
        )
    }
}
