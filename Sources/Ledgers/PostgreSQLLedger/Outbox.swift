import LedgerRecords
package import LightningCoding
import Platform
package import ResponderModel

extension ServerLedger {
    /// Adds work, unless the id exists.
    package func add(_ work: OutboxWork, heldBy holder: String?) async throws(LedgerFault) {
        try await write(query(Self.adding, work.values() + [.optionalText(holder)]))
        if holder == nil { observers.tell(.workDue) }
    }

    /// With the values of `OutboxWork`, and the holder.
    static let adding = """
        INSERT INTO outbox_entry (work_id, kind, account, \(OutboxWork.others), held_by)
        VALUES ($1, $2, \(OutboxWork.owner("$3", "$4")), $5, $6, $7, $8, $9, $10, $11, $12)
        ON CONFLICT (work_id) DO NOTHING
        """

    /// Adds work, unless the id exists or enough work with an id like it is pending. Those who add work with ids like each
    /// other do so one after the other, so that they count each other's.
    package func add(_ work: OutboxWork, upTo most: Int) async throws(LedgerFault) -> Bool {
        let sets = try await write(
            Query(
                """
                SELECT pg_advisory_xact_lock(hashtextextended('outbox ' || rtrim($1, '0123456789abcdef'), 0))
                """, [.text(work.id.text)]),
            query(
                """
                INSERT INTO outbox_entry (work_id, kind, account, \(OutboxWork.others))
                SELECT $1, $2, \(OutboxWork.owner("$3", "$4")), $5, $6, $7, $8, $9, $10, $11
                WHERE $12 > (
                    SELECT count(*) FROM outbox_entry WHERE kind = $2 AND parked_at IS NULL
                        AND work_id COLLATE "C" BETWEEN rtrim($1, '0123456789abcdef')
                            AND rtrim($1, '0123456789abcdef') || 'g'
                        AND rtrim(work_id, '0123456789abcdef') = rtrim($1, '0123456789abcdef')
                )
                ON CONFLICT (work_id) DO NOTHING
                """, work.values() + [.integer(Int64(clamping: most))]))
        let isAdded = sets[1].affected > 0
        if isAdded { observers.tell(.workDue) }
        return isAdded
    }

    /// Claims due work of a kind. What others are claiming at the same moment is passed over.
    package func claim(
        _ kind: OutboxKind, limit: Int, for holder: String, at now: UnixTime, until: UnixTime, under lease: Lease?
    ) async throws(LedgerFault) -> OutboxClaim {
        let sets = try await write(
            under: lease,
            query(
                Self.claiming,
                [
                    .text(kind.rawValue), try .time(now), .integer(Int64(clamping: max(limit, 0))), .text(holder),
                    try .time(until),
                ]),
            Query(
                "SELECT min(due_at) FROM outbox_entry WHERE kind = $1 AND parked_at IS NULL", [.text(kind.rawValue)]))
        return try await LedgerFault.asking(
            OutboxClaim(
                work: try sets[0].rows { row throws(StorageFault) in try OutboxWork(row) },
                nextDue: try sets[1].first { row throws(StorageFault) in try row.optionalTime(0) } ?? nil))
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

    /// Makes claimed work due again, except what is in hand.
    package func freeClaims(
        of kind: OutboxKind, except ids: Set<OutboxID>, under lease: Lease
    ) async throws(LedgerFault) {
        try await write(
            under: lease,
            Query(
                """
                UPDATE outbox_entry SET held_by = NULL, due_at = least(due_at, created_at)
                WHERE kind = $1 AND held_by IS NOT NULL AND attempts > 0 AND parked_at IS NULL AND work_id <> ALL ($2)
                """, [.text(kind.rawValue), .texts(ids.map(\.text))]))
    }

    /// Removes work.
    package func remove(_ id: OutboxID) async throws(LedgerFault) {
        try await write(Query("DELETE FROM outbox_entry WHERE work_id = $1", [.text(id.text)]))
    }

    /// Postpones work.
    package func postpone(
        _ work: OutboxWork, until dueAt: UnixTime, because failure: String
    ) async throws(LedgerFault) {
        try await update(work, "held_by = NULL, due_at = $3, failure = $4", dueAt, failure)
    }

    /// Gives work back; the attempt does not count.
    package func putOff(_ work: OutboxWork, until dueAt: UnixTime, because reason: String) async throws(LedgerFault) {
        try await update(
            work, "held_by = NULL, due_at = $3, failure = $4, attempts = greatest(attempts - 1, 0)", dueAt, reason)
    }

    /// Removes parked work whose deadline has come.
    package func forgetParked(
        _ kind: OutboxKind, limit: Int, at now: UnixTime, under lease: Lease?
    ) async throws(LedgerFault) -> Int {
        let sets = try await write(
            under: lease,
            query(
                """
                WITH forgotten AS (
                    DELETE FROM outbox_entry WHERE id IN (
                        SELECT id FROM outbox_entry WHERE kind = $1 AND parked_at IS NOT NULL AND deadline <= $2
                        LIMIT $3 FOR UPDATE SKIP LOCKED
                    ) AND parked_at IS NOT NULL RETURNING 1
                )
                SELECT count(*) FROM forgotten
                """, [.text(kind.rawValue), try .time(now), .integer(Int64(clamping: max(limit, 0)))]))
        return try await LedgerFault.asking(
            try sets[0].first { row throws(StorageFault) in Int(clamping: try row.integer(0)) } ?? 0)
    }

    package func park(_ work: OutboxWork, at now: UnixTime, because failure: String) async throws(LedgerFault) {
        try await update(work, "held_by = NULL, parked_at = $3, failure = $4", now, failure)
    }

    /// Updates work that is still held by the same claim.
    private func update(
        _ work: OutboxWork, _ change: String, _ time: UnixTime, _ failure: String
    ) async throws(LedgerFault) {
        try await write(
            query(
                """
                UPDATE outbox_entry SET \(change)
                WHERE work_id = $1 AND attempts = $2 AND held_by = $5 AND parked_at IS NULL
                """,
                [
                    .text(work.id.text), try .unsigned(work.attempts), try .time(time), .text(failure),
                    .optionalText(work.holder),
                ]))
    }

    /// Makes work due now. What somebody holds is being attempted already, and stays theirs.
    package func retry(_ id: OutboxID, at now: UnixTime) async throws(LedgerFault) -> Bool {
        let sets = try await write(
            query(
                """
                UPDATE outbox_entry SET parked_at = NULL,
                    due_at = CASE WHEN held_by IS NULL THEN least(due_at, $2) ELSE due_at END,
                    attempts = CASE WHEN held_by IS NULL THEN 0 ELSE attempts END
                WHERE work_id = $1
                """, [.text(id.text), try .time(now)]))
        let isThere = sets[0].affected > 0
        if isThere { observers.tell(.workDue) }
        return isThere
    }

    /// Whether settlements of all accounts add work.
    package func tellSettlementsOfAll(_ isWanted: Bool) async throws(LedgerFault) {
        try await write(Self.tellSettlements(of: nil, isWanted))
    }

    /// Whether settlements of all accounts add work.
    package func tellsSettlementsOfAll() async throws(LedgerFault) -> Bool {
        try await first(
            "SELECT 1 FROM settlement_listener WHERE account IS NULL AND kind = $1",
            [.text(OutboxKind.settlementWebhook.rawValue)]
        ) { _ throws(StorageFault) in true } ?? false
    }

    /// How many pieces of work have ids that begin alike.
    package func count(idsFrom beginning: String, upTo most: Int) async throws(LedgerFault) -> Int {
        try await first(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM outbox_entry WHERE work_id COLLATE "C" BETWEEN $1::text || '0' AND $1::text || 'g' LIMIT $2
            ) AS counted
            """, [.text(beginning), .integer(Int64(clamping: max(most, 0)))]
        ) { row throws(StorageFault) in Int(clamping: try row.integer(0)) } ?? 0
    }

    /// The work of that id, or nil.
    package func work(_ id: OutboxID) async throws(LedgerFault) -> OutboxWork? {
        try await first(
            "SELECT \(OutboxWork.columns) FROM outbox_entry WHERE work_id = $1", [.text(id.text)]
        ) { row throws(StorageFault) in
            try OutboxWork(row)
        }
    }

    /// A page of work, newest first.
    package func outbox(_ query: OutboxQuery) async throws(LedgerFault) -> OutboxPage {
        var listing = Listing(after: query.after, limit: query.limit)
        if let account = query.account { listing.require("account = ", account) }
        if let kind = query.kind { listing.require("kind = ", .text(kind.rawValue)) }
        if let isParked = query.isParked { listing.require("parked_at IS \(isParked ? "NOT " : "")NULL") }
        let selected = listing.query(of: OutboxWork.columns, from: "outbox_entry")
        let found = try await rows(selected.sql, selected.values) { row throws(StorageFault) in
            (position: try row.integer(OutboxWork.columnCount), element: try OutboxWork(row))
        }
        return Page(of: query.limit, from: found)
    }

    /// How much work there is, and how many payments have ever been recorded.
    package func totals() async throws(LedgerFault) -> LedgerTotals {
        let counts = try await rows(
            """
            SELECT kind, false, count(*) FROM outbox_entry WHERE parked_at IS NULL GROUP BY kind
            UNION ALL SELECT kind, true, count(*) FROM outbox_entry WHERE parked_at IS NOT NULL GROUP BY kind
            """
        ) { row throws(StorageFault) in
            (
                kind: OutboxKind(rawValue: try row.text(0)), isParked: try row.boolean(1), count: try row.unsigned(2)
            )
        }
        let settlements = try await first("SELECT count FROM settlement_total") { row throws(StorageFault) in
            try row.unsigned(0)
        }
        return LedgerTotals(settlements: settlements ?? 0, work: counts)
    }
}
