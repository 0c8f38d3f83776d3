package import ResponderModel
import LedgerRecords
package import LightningCoding

extension LedgerDatabase {
    /// Claims due work of a kind. Writes nothing when there is none.
    package func claim(
        _ kind: OutboxKind, limit: Int, for holder: String, at now: UnixTime, until: UnixTime, under lease: Lease?
    ) async throws(LedgerFault) -> OutboxClaim {
        let nextDue = try await read { connection throws(LedgerFault) in try connection.nextDue(kind) }
        guard let nextDue, nextDue <= now, limit > 0 else { return OutboxClaim(work: [], nextDue: nextDue) }
        return try await write(under: lease) { connection throws(LedgerFault) in
            let due = try connection.rows(
                Self.dueInTurn, [.text(kind.rawValue), .time(now), .integer(Int64(clamping: limit))]
            ) { row throws(LedgerFault) in
                try row.integer("id")
            }
            var work: [OutboxWork] = []
            for position in due {
                let taken = try connection.first(
                    """
                    UPDATE outbox_entry SET held_by = $2, due_at = $3, attempts = attempts + 1 WHERE id = $1
                    RETURNING \(OutboxWork.columns)
                    """,
                    [.integer(position), .text(holder), .time(until)], OutboxWork.init)
                if let taken { work.append(taken) }
            }
            return OutboxClaim(work: work, nextDue: try connection.nextDue(kind))
        }
    }

    /// The account with the least in hand comes first, so that one whose receiver hangs holds up nobody else; of each account what is
    /// longest due. Goes from account to account that has work, and reads no more of each than is asked for.
    private static let dueInTurn = """
        WITH RECURSIVE waiting (account) AS (
            SELECT min(account) FROM outbox_entry INDEXED BY outbox_by_account WHERE kind = $1 AND parked_at IS NULL
            UNION ALL
            SELECT (
                SELECT min(account) FROM outbox_entry INDEXED BY outbox_by_account
                WHERE kind = $1 AND parked_at IS NULL AND account > waiting.account
            ) FROM waiting WHERE account IS NOT NULL
        ), candidate (id, due_at, turn) AS (
            SELECT
                outbox_entry.id, outbox_entry.due_at,
                row_number() OVER (PARTITION BY outbox_entry.account ORDER BY outbox_entry.due_at, outbox_entry.id) + (
                    SELECT count(*) FROM outbox_entry AS held INDEXED BY outbox_held
                    WHERE held.kind = $1 AND held.account = outbox_entry.account AND held.held_by IS NOT NULL
                )
            FROM waiting CROSS JOIN outbox_entry ON outbox_entry.id IN (
                SELECT id FROM outbox_entry AS due INDEXED BY outbox_by_account
                WHERE due.kind = $1 AND due.account = waiting.account AND due.parked_at IS NULL AND due.due_at <= $2
                ORDER BY due.due_at, due.id LIMIT $3
            )
        )
        SELECT id FROM candidate ORDER BY turn, due_at, id LIMIT $3
        """
}

extension Connection {
    fileprivate func nextDue(_ kind: OutboxKind) throws(LedgerFault) -> UnixTime? {
        try first(
            "SELECT due_at FROM outbox_entry WHERE kind = $1 AND parked_at IS NULL ORDER BY due_at LIMIT 1",
            [.text(kind.rawValue)]
        ) { row throws(LedgerFault) in
            try row.time("due_at")
        }
    }
}
