import LedgerRecords
package import LightningCoding
import LightningCrypto
import Platform
package import ResponderModel

extension LedgerDatabase {
    /// Adds work, unless the id exists.
    package func add(_ work: OutboxWork, heldBy holder: String?) async throws(LedgerFault) {
        _ = try await write { connection throws(StorageFault) in
            try connection.run(OutboxWork.insertion, try work.values() + [.text(holder)])
        }
        if holder == nil { observers.tell(.workDue) }
    }

    /// Adds work, unless the id exists or enough work with an id like it is pending.
    package func add(_ work: OutboxWork, upTo most: Int) async throws(LedgerFault) -> Bool {
        let isAdded = try await write { connection throws(StorageFault) in
            let pending = try connection.first(
                Self.countingAlike,
                [.text(work.kind.rawValue), .text(work.id.text), .integer(Int64(clamping: most))]
            ) { row throws(StorageFault) in try row.integer(0) }
            guard pending ?? 0 < most else { return false }
            return try connection.run(OutboxWork.insertion, try work.values() + [.null]) > 0
        }
        if isAdded { observers.tell(.workDue) }
        return isAdded
    }

    /// Counts pending work of a kind whose ids are like that one, up to a number. By the index of ids: without the `+` all
    /// work of the kind would be read.
    static let countingAlike = """
        SELECT count(*) FROM (
            SELECT 1 FROM outbox_entry WHERE +kind = ?1 AND parked_at IS NULL
                AND work_id BETWEEN rtrim(?2, '0123456789abcdef') AND rtrim(?2, '0123456789abcdef') || 'g'
                AND rtrim(work_id, '0123456789abcdef') = rtrim(?2, '0123456789abcdef')
            LIMIT ?3
        )
        """

    /// Claims due work of a kind. Writes nothing when there is none.
    package func claim(
        _ kind: OutboxKind, limit: Int, for holder: String, at now: UnixTime, until: UnixTime, under lease: Lease?
    ) async throws(LedgerFault) -> OutboxClaim {
        let nextDue = try await nextDue(kind)
        guard let nextDue, nextDue <= now, limit > 0 else { return OutboxClaim(work: [], nextDue: nextDue) }
        return try await write(under: lease) { connection throws(StorageFault) in
            let due = try connection.rows(
                Self.dueInTurn, [.text(kind.rawValue), try .time(now), .integer(Int64(clamping: limit))]
            ) { row throws(StorageFault) in
                try row.integer(0)
            }
            var work: [OutboxWork] = []
            for position in due {
                let taken = try connection.first(
                    """
                    UPDATE outbox_entry SET held_by = ?2, due_at = ?3, attempts = attempts + 1 WHERE id = ?1
                    RETURNING \(OutboxWork.columns)
                    """,
                    [.integer(position), .text(holder), try .time(until)], read: OutboxWork.init)
                if let taken { work.append(taken) }
            }
            return OutboxClaim(work: work, nextDue: try connection.nextDue(kind))
        }
    }

    /// The account with the least in hand comes first, so that one whose receiver hangs holds up nobody else; of each account what is
    /// longest due. Goes from account to account that has work, and reads no more of each than is asked for.
    private static let dueInTurn = """
        WITH RECURSIVE waiting (account) AS (
            SELECT min(account) FROM outbox_entry INDEXED BY outbox_by_account WHERE kind = ?1 AND parked_at IS NULL
            UNION ALL
            SELECT (
                SELECT min(account) FROM outbox_entry INDEXED BY outbox_by_account
                WHERE kind = ?1 AND parked_at IS NULL AND account > waiting.account
            ) FROM waiting WHERE account IS NOT NULL
        ), candidate (id, due_at, turn) AS (
            SELECT
                outbox_entry.id, outbox_entry.due_at,
                row_number() OVER (PARTITION BY outbox_entry.account ORDER BY outbox_entry.due_at, outbox_entry.id) + (
                    SELECT count(*) FROM outbox_entry AS held INDEXED BY outbox_held
                    WHERE held.kind = ?1 AND held.account = outbox_entry.account AND held.held_by IS NOT NULL
                )
            FROM waiting CROSS JOIN outbox_entry ON outbox_entry.id IN (
                SELECT id FROM outbox_entry AS due INDEXED BY outbox_by_account
                WHERE due.kind = ?1 AND due.account = waiting.account AND due.parked_at IS NULL AND due.due_at <= ?2
                ORDER BY due.due_at, due.id LIMIT ?3
            )
        )
        SELECT id FROM candidate ORDER BY turn, due_at, id LIMIT ?3
        """

    /// Makes claimed work due again, except what is in hand.
    package func freeClaims(
        of kind: OutboxKind, except ids: Set<OutboxID>, under lease: Lease
    ) async throws(LedgerFault) {
        try await write(under: lease) { connection throws(StorageFault) in
            let held = try connection.rows(
                """
                SELECT work_id FROM outbox_entry
                WHERE kind = ?1 AND held_by IS NOT NULL AND attempts > 0 AND parked_at IS NULL
                """, [.text(kind.rawValue)]
            ) { row throws(StorageFault) in try row.text(0) { OutboxID($0) } }
            for id in held where !ids.contains(id) {
                try connection.run(
                    """
                    UPDATE outbox_entry SET held_by = NULL, due_at = min(due_at, created_at)
                    WHERE work_id = ?1
                    """, [.text(id.text)])
            }
        }
    }

    /// Removes work.
    package func remove(_ id: OutboxID) async throws(LedgerFault) {
        _ = try await write { connection throws(StorageFault) in try connection.remove(id) }
    }

    /// Postpones work.
    package func postpone(
        _ work: OutboxWork, until dueAt: UnixTime, because failure: String
    ) async throws(LedgerFault) {
        try await update(work, "held_by = NULL, due_at = ?3, failure = ?4", dueAt, failure)
    }

    /// Gives work back; the attempt does not count.
    package func putOff(_ work: OutboxWork, until dueAt: UnixTime, because reason: String) async throws(LedgerFault) {
        try await update(
            work, "held_by = NULL, due_at = ?3, failure = ?4, attempts = max(attempts - 1, 0)", dueAt, reason)
    }

    /// Removes parked work whose deadline has come.
    package func forgetParked(
        _ kind: OutboxKind, limit: Int, at now: UnixTime, under lease: Lease?
    ) async throws(LedgerFault) -> Int {
        try await write(under: lease) { connection throws(StorageFault) in
            try connection.run(
                """
                DELETE FROM outbox_entry WHERE id IN (
                    SELECT id FROM outbox_entry WHERE kind = ?1 AND parked_at IS NOT NULL AND deadline <= ?2 LIMIT ?3
                )
                """, [.text(kind.rawValue), try .time(now), .integer(Int64(clamping: max(limit, 0)))])
        }
    }

    package func park(_ work: OutboxWork, at now: UnixTime, because failure: String) async throws(LedgerFault) {
        try await update(work, "held_by = NULL, parked_at = ?3, failure = ?4", now, failure)
    }

    /// Makes work due now. What somebody holds is being attempted already, and stays theirs.
    package func retry(_ id: OutboxID, at now: UnixTime) async throws(LedgerFault) -> Bool {
        let isThere = try await write { connection throws(StorageFault) in
            try connection.run(
                """
                UPDATE outbox_entry SET parked_at = NULL,
                    due_at = CASE WHEN held_by IS NULL THEN min(due_at, ?2) ELSE due_at END,
                    attempts = CASE WHEN held_by IS NULL THEN 0 ELSE attempts END
                WHERE work_id = ?1
                """,
                [.text(id.text), try .time(now)]
            ) > 0
        }
        if isThere { observers.tell(.workDue) }
        return isThere
    }

    /// Whether settlements of all accounts add work.
    package func tellSettlementsOfAll(_ isWanted: Bool) async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in try connection.tellSettlements(of: nil, isWanted) }
    }

    /// Whether settlements of all accounts add work.
    package func tellsSettlementsOfAll() async throws(LedgerFault) -> Bool {
        try await read { connection throws(StorageFault) in
            try connection.first(
                "SELECT 1 FROM settlement_listener WHERE account IS NULL AND kind = ?1",
                [.text(OutboxKind.settlementWebhook.rawValue)]
            ) { _ throws(StorageFault) in true } ?? false
        }
    }

    /// Records how a notification was handled, and removes its work.
    package func record(_ event: EventRecord, finishing id: OutboxID) async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in
            guard try connection.remove(id) > 0 else { return }
            try connection.add(event)
        }
    }

    /// Updates work that is still held by the same claim.
    private func update(
        _ work: OutboxWork, _ change: String, _ time: UnixTime, _ failure: String
    ) async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in
            _ = try connection.run(
                """
                UPDATE outbox_entry SET \(change)
                WHERE work_id = ?1 AND attempts = ?2 AND held_by = ?5 AND parked_at IS NULL
                """,
                [
                    .text(work.id.text), try .unsigned(work.attempts), try .time(time), .text(failure),
                    .text(work.holder),
                ])
        }
    }

    private func nextDue(_ kind: OutboxKind) async throws(LedgerFault) -> UnixTime? {
        try await read { connection throws(StorageFault) in try connection.nextDue(kind) }
    }
}

extension Connection {
    /// Adds the work that follows from a settlement, and counts it, in the settlement's transaction. The work is due at
    /// once, even when the node's clock is ahead.
    func addWhatFollows(fromSettlementOf paymentHash: PaymentHash) throws(StorageFault) {
        try run("UPDATE settlement_total SET count = count + 1")
        try run(
            """
            INSERT INTO outbox_entry (work_id, kind, account, payload, created_at, due_at)
            SELECT DISTINCT CASE listener.kind WHEN ?3 THEN ?2 ELSE ?5 END, listener.kind, invoice.account, ?4,
                settled_at, min(settled_at, CAST(strftime('%s', 'now') AS INTEGER))
            FROM invoice JOIN settlement_listener AS listener
                ON coalesce(listener.account, 0) IN (0, invoice.account)
            WHERE payment_hash = ?1
            ON CONFLICT (work_id) DO NOTHING
            """,
            [
                .blob(paymentHash.bytes), .text(OutboxID.settlement(of: paymentHash).text),
                .text(OutboxKind.settlementWebhook.rawValue),
                .blob(SettlementNotice(paymentHash: paymentHash).payload),
                .text(OutboxID.ownerPayment(paymentHash).text),
            ])
    }

    /// Whether settlements add work of a kind.
    ///
    /// - Parameter account: nil for all.
    func tellSettlements(
        of account: AccountID?, by kind: OutboxKind = .settlementWebhook, _ isWanted: Bool
    ) throws(StorageFault) {
        let number = AccountID.number("?1", "?2")
        try run(
            isWanted
                ? "INSERT INTO settlement_listener (account, kind) VALUES (\(number), ?3) ON CONFLICT DO NOTHING"
                : "DELETE FROM settlement_listener WHERE account IS \(number) AND kind = ?3",
            (account?.values() ?? [.null, .null]) + [.text(kind.rawValue)])
    }

    fileprivate func remove(_ id: OutboxID) throws(StorageFault) -> Int {
        try run("DELETE FROM outbox_entry WHERE work_id = ?1", [.text(id.text)])
    }

    fileprivate func nextDue(_ kind: OutboxKind) throws(StorageFault) -> UnixTime? {
        try first(
            "SELECT due_at FROM outbox_entry WHERE kind = ?1 AND parked_at IS NULL ORDER BY due_at LIMIT 1",
            [.text(kind.rawValue)]
        ) { row throws(StorageFault) in
            try row.time(0)
        }
    }
}
