import LNURL
import LightningCoding
package import ResponderModel

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

extension LedgerTotals {
    /// - Parameter counts: how much work there is of each kind, parked or not.
    package init(settlements: UInt64, work counts: [(kind: OutboxKind, isParked: Bool, count: UInt64)]) {
        func counted(_ isParked: Bool) -> [OutboxKind: UInt64] {
            Dictionary(uniqueKeysWithValues: counts.filter { $0.isParked == isParked }.map { ($0.kind, $0.count) })
        }
        self.init(settlements: settlements, pending: counted(false), parked: counted(true))
    }
}
