package import ResponderModel
import LedgerRecords
package import LightningCoding

extension LedgerDatabase {
    /// Claims due work of a kind; what others are claiming at the same moment is passed over. Writes nothing when there is none.
    package func claim(
        _ kind: OutboxKind, limit: Int, for holder: String, at now: UnixTime, until: UnixTime, under lease: Lease?
    ) async throws(LedgerFault) -> OutboxClaim {
        // Whose turn it is takes long where many wait, which must not hold up the writes of others.
        let (nextDue, due) = try await read { connection throws(LedgerFault) in
            let nextDue = try connection.nextDue(kind)
            guard let nextDue, nextDue <= now, limit > 0 else { return (nextDue, [Int64]()) }
            return (nextDue, try connection.dueInTurn(kind, limit, at: now))
        }
        guard !due.isEmpty else { return OutboxClaim(work: [], nextDue: nextDue) }
        return try await write(under: lease) { connection throws(LedgerFault) in
            var work: [OutboxWork] = []
            for position in due {
                let taken = try connection.first(
                    """
                    UPDATE outbox_entry SET held_by = $2, due_at = $3, attempts = attempts + 1
                    WHERE id = $1 AND due_at <= $4 AND parked_at IS NULL RETURNING \(OutboxWork.columns)
                    """,
                    [.integer(position), .text(holder), .time(until), .time(now)], OutboxWork.init)
                if let taken { work.append(taken) }
            }
            return OutboxClaim(work: work, nextDue: try connection.nextDue(kind))
        }
    }
}

extension Connection {
    fileprivate func dueInTurn(
        _ kind: OutboxKind, _ limit: Int, at now: UnixTime
    ) throws(LedgerFault) -> [Int64] {
        try rows(Self.dueInTurn, [.text(kind.rawValue), .time(now), .integer(Int64(clamping: limit))]) {
            row throws(LedgerFault) in try row.integer("id")
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

    fileprivate func nextDue(_ kind: OutboxKind) throws(LedgerFault) -> UnixTime? {
        try first(
            "SELECT due_at FROM outbox_entry WHERE kind = $1 AND parked_at IS NULL ORDER BY due_at LIMIT 1",
            [.text(kind.rawValue)]
        ) { row throws(LedgerFault) in
            try row.time("due_at")
        }
    }
}
