package import ResponderModel
import LedgerRecords
package import LightningCoding

extension ServerLedger {
    /// Claims due work of a kind. What others are claiming at the same moment is passed over. Writes nothing when there is none.
    package func claim(
        _ kind: OutboxKind, limit: Int, for holder: String, at now: UnixTime, until: UnixTime, under lease: Lease?
    ) async throws(LedgerFault) -> OutboxClaim {
        let nextDue = try await first(Self.nextDue, [.text(kind.rawValue)], Self.dueAt) ?? nil
        guard let nextDue, nextDue <= now, limit > 0 else { return OutboxClaim(work: [], nextDue: nextDue) }
        let sets = try await write(
            under: lease,
            [
                Query(
                    Self.claiming,
                    [
                        .text(kind.rawValue), .time(now), .integer(Int64(clamping: max(limit, 0))), .text(holder),
                        .time(until),
                    ]),
                Query(Self.nextDue, [.text(kind.rawValue)]),
            ])
        return OutboxClaim(work: try sets[0].rows(OutboxWork.init), nextDue: try sets[1].first(Self.dueAt) ?? nil)
    }

    private static let nextDue =
        "SELECT min(due_at) AS due_at FROM outbox_entry WHERE kind = $1 AND parked_at IS NULL"

    @Sendable private static func dueAt(_ row: Row) throws(LedgerFault) -> UnixTime? {
        try row.optionalTime("due_at")
    }

    /// The account with the least in hand comes first, so that one whose receiver hangs holds up nobody else; of each
    /// account what is longest due. Goes from account to account that has work, and reads no more of each than is asked
    /// for.
    private static let claiming = """
        WITH RECURSIVE waiting (account) AS (
            SELECT min(account) FROM outbox_entry WHERE kind = $1 AND parked_at IS NULL
            UNION ALL
            SELECT (
                SELECT min(account) FROM outbox_entry
                WHERE kind = $1 AND parked_at IS NULL AND account > waiting.account
            ) FROM waiting WHERE account IS NOT NULL
        ), candidate AS (
            SELECT due.id, due.due_at,
                row_number() OVER (PARTITION BY waiting.account ORDER BY due.due_at, due.id) + (
                    SELECT count(*) FROM outbox_entry AS held
                    WHERE held.kind = $1 AND held.account = waiting.account AND held.held_by IS NOT NULL
                ) AS turn
            FROM waiting, LATERAL (
                SELECT id, due_at FROM outbox_entry
                WHERE kind = $1 AND account = waiting.account AND parked_at IS NULL AND due_at <= $2
                ORDER BY due_at, id LIMIT $3
            ) AS due
        ), first AS (
            SELECT id, due_at AS since, turn FROM candidate ORDER BY turn, due_at, id LIMIT $3
        ), taken AS (
            SELECT id FROM outbox_entry WHERE id IN (SELECT id FROM first) AND due_at <= $2 AND parked_at IS NULL
            FOR UPDATE SKIP LOCKED
        ), claimed AS (
            UPDATE outbox_entry SET held_by = $4, due_at = $5, attempts = attempts + 1
            WHERE id IN (SELECT id FROM taken) RETURNING outbox_entry.*
        )
        SELECT \(OutboxWork.columns) FROM claimed AS outbox_entry JOIN first USING (id) ORDER BY turn, since, id
        """
}
