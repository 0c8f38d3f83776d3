import LNURL
package import ResponderModel
import Platform
package import LightningCoding

extension SQLLedger {
    package func add(_ work: OutboxWork, heldBy holder: String?) async throws(LedgerFault) {
        try await write { connection throws(LedgerFault) in try connection.add(work, heldBy: holder) }
        if holder == nil { observers.tell(.workDue) }
    }

    /// Adds work, unless the id exists or enough about its subject is pending. Those who add work about the same do so one
    /// after the other, so that they count each other's.
    package func add(_ work: OutboxWork, upTo most: Int) async throws(LedgerFault) -> Bool {
        let isAdded = try await write { connection throws(LedgerFault) in
            if let subject = work.subject {
                try connection.lock(.workAbout(subject, work.kind))
                let pending = try connection.count(work.kind, subject, upTo: most, onlyPending: true)
                guard pending < most else { return false }
            }
            return try connection.changes(OutboxWork.insertion, work.values() + [.null]) > 0
        }
        if isAdded { observers.tell(.workDue) }
        return isAdded
    }

    package func freeClaims(
        of kind: OutboxKind, for holder: String, except ids: Set<OutboxID>, under lease: Lease,
        dueAt: @escaping @Sendable (OutboxWork) -> UnixTime
    ) async throws(LedgerFault) {
        try await write(under: lease) { connection throws(LedgerFault) in
            let held = try connection.rows(
                """
                SELECT \(OutboxWork.columns) FROM outbox_entry
                WHERE kind = $1 AND held_by IS NOT NULL AND attempts > 0 AND parked_at IS NULL
                """, [.text(kind.rawValue)], OutboxWork.init)
            for work in held where !ids.contains(work.id) {
                let isBegun = work.holder != holder
                try connection.run(
                    """
                    UPDATE outbox_entry SET held_by = NULL, due_at = $4, attempts = $5
                    WHERE work_id = $1 AND attempts = $2 AND held_by = $3 AND parked_at IS NULL
                    """,
                    [
                        .text(work.id.text), .unsigned(work.attempts), .optionalText(work.holder),
                        // A settlement's time is the node's, whose clock may be ahead.
                        .time(isBegun ? dueAt(work) : min(work.createdAt, work.dueAt ?? work.createdAt)),
                        .unsigned(isBegun ? work.attempts : work.attempts - 1),
                    ])
            }
        }
    }

    package func remove(_ id: OutboxID) async throws(LedgerFault) {
        try await change(OutboxWork.removal, [.text(id.text)])
    }

    package func postpone(
        _ work: OutboxWork, until dueAt: UnixTime, because failure: String
    ) async throws(LedgerFault) {
        try await update(work, "due_at = $3, failure = $4", dueAt, failure)
    }

    package func reschedule(_ work: OutboxWork, until dueAt: UnixTime, because reason: String) async throws(LedgerFault)
    {
        try await update(
            work, "due_at = $3, failure = $4, attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END", dueAt,
            reason)
    }

    package func update(
        _ work: OutboxWork, to job: some OutboxJob, dueAt: UnixTime
    ) async throws(LedgerFault) -> Bool {
        let isChanged =
            try await change(
                """
                UPDATE outbox_entry SET payload = $4, due_at = $5, held_by = NULL
                WHERE work_id = $1 AND attempts = $2 AND held_by IS NOT DISTINCT FROM $3 AND payload = $6
                    AND parked_at IS NULL
                """,
                [
                    .text(work.id.text), .unsigned(work.attempts), .optionalText(work.holder), .blob(job.payload),
                    .time(dueAt), .blob(work.payload),
                ]) > 0
        if isChanged { observers.tell(.workDue) }
        return isChanged
    }

    package func park(_ work: OutboxWork, at now: UnixTime, because failure: String) async throws(LedgerFault) {
        try await update(work, "parked_at = $3, failure = $4", now, failure)
    }

    /// Updates work that is still held by the same claim.
    private func update(
        _ work: OutboxWork, _ change: String, _ time: UnixTime, _ failure: String
    ) async throws(LedgerFault) {
        try await self.change(
            """
            UPDATE outbox_entry SET held_by = NULL, \(change)
            WHERE work_id = $1 AND attempts = $2 AND held_by = $5 AND parked_at IS NULL
            """,
            [.text(work.id.text), .unsigned(work.attempts), .time(time), .text(failure), .optionalText(work.holder)])
    }

    package func forgetParked(
        _ kind: OutboxKind, limit: Int, at now: UnixTime, under lease: Lease?
    ) async throws(LedgerFault) -> Int {
        try await change(
            under: lease,
            """
            DELETE FROM outbox_entry WHERE parked_at IS NOT NULL AND id IN (
                SELECT id FROM outbox_entry WHERE kind = $1 AND parked_at IS NOT NULL AND deadline <= $2 LIMIT $3
            )
            """, [.text(kind.rawValue), .time(now), .integer(Int64(clamping: max(limit, 0)))])
    }

    /// Makes work due now. What somebody holds is being attempted already, and stays theirs.
    package func retry(_ id: OutboxID, at now: UnixTime) async throws(LedgerFault) -> Bool {
        let isThere =
            try await change(
                """
                UPDATE outbox_entry SET parked_at = NULL,
                    due_at = CASE WHEN held_by IS NULL AND due_at > $2 THEN $2 ELSE due_at END,
                    attempts = CASE WHEN held_by IS NULL THEN 0 ELSE attempts END
                WHERE work_id = $1
                """, [.text(id.text), .time(now)]) > 0
        if isThere { observers.tell(.workDue) }
        return isThere
    }

    package func tellSettlementsOfAll(_ isWanted: Bool) async throws(LedgerFault) {
        try await change("UPDATE settlement_total SET tells_all = $1", [.integer(isWanted ? 1 : 0)])
    }

    package func tellsSettlementsOfAll() async throws(LedgerFault) -> Bool {
        try await first("SELECT tells_all FROM settlement_total") { row throws(LedgerFault) in
            try row.integer("tells_all") != 0
        } ?? false
    }

    package func count(
        _ kind: OutboxKind, about subject: OutboxSubject, upTo most: Int
    ) async throws(LedgerFault) -> Int {
        try await read { connection throws(LedgerFault) in
            try connection.count(kind, subject, upTo: most, onlyPending: false)
        }
    }

    package func work(_ id: OutboxID) async throws(LedgerFault) -> OutboxWork? {
        try await first(
            "SELECT \(OutboxWork.columns) FROM outbox_entry WHERE work_id = $1", [.text(id.text)], OutboxWork.init)
    }

    package func outbox(_ query: OutboxQuery) async throws(LedgerFault) -> Page<OutboxWork> {
        var listing = Listing(of: OutboxWork.columns, from: "outbox_entry", after: query.after, limit: query.limit)
        if let account = query.account { listing.requireAccount(account) }
        if let kind = query.kind { listing.require("kind =", .text(kind.rawValue)) }
        if let isParked = query.isParked { listing.require("parked_at IS \(isParked ? "NOT " : "")NULL") }
        return try await page(listing, of: query.limit, OutboxWork.init)
    }

    package func totals() async throws(LedgerFault) -> LedgerTotals {
        try await read { connection throws(LedgerFault) in
            let counts = try connection.rows(
                """
                SELECT kind, 0 AS is_parked, count(*) AS count FROM outbox_entry WHERE parked_at IS NULL GROUP BY kind
                UNION ALL
                SELECT kind, 1, count(*) FROM outbox_entry WHERE parked_at IS NOT NULL GROUP BY kind
                """
            ) { row throws(LedgerFault) in
                (
                    kind: OutboxKind(rawValue: try row.text("kind")), isParked: try row.integer("is_parked") != 0,
                    count: try row.unsigned("count")
                )
            }
            let settlements = try connection.first("SELECT count FROM settlement_total") { row throws(LedgerFault) in
                try row.unsigned("count")
            }
            func counted(_ isParked: Bool) -> [OutboxKind: UInt64] {
                Dictionary(uniqueKeysWithValues: counts.filter { $0.isParked == isParked }.map { ($0.kind, $0.count) })
            }
            return LedgerTotals(settlements: settlements ?? 0, pending: counted(false), parked: counted(true))
        }
    }
}

extension LedgerConnection {
    package func add(_ work: OutboxWork, heldBy holder: String?) throws(LedgerFault) {
        try run(OutboxWork.insertion, work.values() + [.optionalText(holder)])
    }

    fileprivate func count(
        _ kind: OutboxKind, _ subject: OutboxSubject, upTo most: Int, onlyPending: Bool
    ) throws(LedgerFault) -> Int {
        let values = [
            StoredValue.text(kind.rawValue), .text(subject.text), .text(subject.end),
            .integer(Int64(clamping: max(most, 0))),
        ]
        let count = try first(OutboxWork.counting(onlyPending: onlyPending), values) { row throws(LedgerFault) in
            try row.integer("count")
        }
        return Int(clamping: count ?? 0)
    }
}

extension OutboxWork {
    /// The columns of `outbox_entry` in the order of `init(_:)`.
    package static let columns = "work_id, kind, \(AccountID.text(in: "outbox_entry")), \(others), held_by"

    /// The columns after the account, in the order of `values`.
    package static let others = "payload, created_at, deadline, due_at, parked_at, attempts, failure, subject"

    /// What stands for the account of work in the tables: its number; 0 for none. NULL, which the tables refuse, when the
    /// account never existed.
    ///
    /// - Parameters:
    ///   - name: the placeholder of the account's name, which is null for none.
    ///   - domain: the placeholder of the domain's name.
    package static func owner(_ name: String, _ domain: String) -> String {
        "coalesce(\(AccountID.number(name, domain)), CASE WHEN \(name) IS NULL THEN 0 END)"
    }

    /// With `values`, and the holder.
    package static let insertion = """
        INSERT INTO outbox_entry (work_id, kind, account, \(others), held_by)
        VALUES ($1, $2, \(owner("$3", "$4")), $5, $6, $7, $8, $9, $10, $11, $12, $13)
        ON CONFLICT (work_id) DO NOTHING
        """

    /// For an id.
    package static let removal = "DELETE FROM outbox_entry WHERE work_id = $1"

    /// Counts work of a kind about a subject and those below it, up to a number.
    package static func counting(onlyPending: Bool) -> String {
        """
        SELECT count(*) AS count FROM (
            SELECT 1 FROM outbox_entry
            WHERE kind = $1 AND subject >= $2 AND subject < $3 \(onlyPending ? "AND parked_at IS NULL" : "") LIMIT $4
        ) AS counted
        """
    }

    /// The id, the kind, the account's name and domain or nulls, and the other columns.
    package func values() throws(LedgerFault) -> [StoredValue] {
        let (dueAt, parkedAt): (StoredValue, StoredValue) =
            switch state {
            case .pending(let dueAt): (try .time(dueAt), .null)
            case .parked(let time): (try .time(time), try .time(time))
            }
        return [
            .text(id.text), .text(kind.rawValue), .optionalText(account?.name.text),
            .optionalText(account?.domain.text),
            .blob(payload), try .time(createdAt), try .optionalTime(deadline), dueAt, parkedAt, try .unsigned(attempts),
            .optionalText(failure), .optionalText(subject?.text),
        ]
    }

    package init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            id: try row.text("work_id") { OutboxID($0) },
            kind: OutboxKind(rawValue: try row.text("kind")),
            account: try row.optionalText("account") { try AccountID($0) },
            payload: try row.blob("payload"),
            createdAt: try row.time("created_at"),
            deadline: try row.optionalTime("deadline"),
            state: try row.isNull("parked_at")
                ? .pending(dueAt: row.time("due_at")) : .parked(at: row.time("parked_at")),
            attempts: try row.unsigned("attempts"),
            holder: try row.optionalText("held_by"),
            failure: try row.optionalText("failure"),
            subject: try row.optionalText("subject") { OutboxSubject(text: $0) })
    }
}
