import LNURL
import LightningCoding
package import ResponderModel

extension OutboxWork {
    /// The columns of `outbox_entry` in the order of `init(_:)`.
    package static let columns = "work_id, kind, \(AccountID.text(in: "outbox_entry")), \(others), held_by"

    /// The columns after the account, in the order of `values`.
    package static let others = "payload, created_at, deadline, due_at, parked_at, attempts, failure"

    /// What stands for the account of work in the tables: its number; 0 for none. NULL, which the tables refuse, when the
    /// account never existed.
    ///
    /// - Parameters:
    ///   - name: the placeholder of the account's name, which is null for none.
    ///   - domain: the placeholder of the domain's name.
    package static func owner(_ name: String, _ domain: String) -> String {
        "coalesce(\(AccountID.number(name, domain)), CASE WHEN \(name) IS NULL THEN 0 END)"
    }

    /// How many columns `init(_:)` reads.
    package static let columnCount: Int32 = 11

    /// The id, the kind, the account's name and domain or nulls, and the other columns.
    package func values<Value: StoredValue>() throws(Value.Fault) -> [Value] {
        let (dueAt, parkedAt): (Value, Value) =
            switch state {
            case .pending(let dueAt): (try .time(dueAt), .null)
            case .parked(let time): (try .time(time), try .time(time))
            }
        return [
            .text(id.text), .text(kind.rawValue), .optionalText(account?.name.text),
            .optionalText(account?.domain.text),
            .blob(payload), try .time(createdAt), try .optionalTime(deadline), dueAt, parkedAt, try .unsigned(attempts),
            .optionalText(failure),
        ]
    }

    package init<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        self.init(
            id: try row.text(0) { OutboxID($0) },
            kind: OutboxKind(rawValue: try row.text(1)),
            account: row.isNull(2) ? nil : try row.text(2) { try AccountID($0) },
            payload: try row.blob(3),
            createdAt: try row.time(4),
            deadline: try row.optionalTime(5),
            state: row.isNull(7) ? .pending(dueAt: try row.time(6)) : .parked(at: try row.time(7)),
            attempts: try row.unsigned(8),
            holder: try row.optionalText(10),
            failure: try row.optionalText(9))
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
