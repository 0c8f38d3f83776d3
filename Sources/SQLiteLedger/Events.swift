import LNURL
public import LightningCoding
import LightningCrypto
public import Contracts
import SQLiteStorage

extension LedgerDatabase {
    /// Records how a notification was handled.
    public func record(_ event: EventRecord) async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in try connection.add(event) }
    }

    /// A page of handled notifications, newest first.
    public func events(_ query: EventQuery) async throws(LedgerFault) -> EventPage {
        let account = query.account == nil ? "" : "AND account = \(AccountID.number("?3", "?4"))"
        let values: [Value] = [.integer(query.after?.position ?? .max), .integer(Int64(query.limit) + 1)]
        let found = try await read { connection throws(StorageFault) in
            try connection.rows(
                "SELECT \(EventRecord.columns), id FROM event WHERE id < ?1 \(account) ORDER BY id DESC LIMIT ?2",
                values + (query.account?.values ?? [])
            ) { row throws(StorageFault) in
                (position: try row.integer(EventRecord.columnCount), element: try EventRecord(row))
            }
        }
        // One more than requested is read, to know whether there is a next page.
        return Page(of: query.limit, from: found)
    }

    /// Deletes handled notifications older than a moment, and all but the newest ones; returns how many.
    public func pruneEvents(before moment: UnixTime, keeping newest: UInt64) async throws(LedgerFault) -> Int {
        try await write { connection throws(StorageFault) in
            try connection.run("DELETE FROM event WHERE received_at < ?1", [try .time(moment)])
                + connection.run(
                    "DELETE FROM event WHERE id <= (SELECT id FROM event ORDER BY id DESC LIMIT 1 OFFSET ?1)",
                    [.integer(Int64(clamping: newest))]
                )
        }
    }
}

extension Connection {
    func add(_ event: EventRecord) throws(StorageFault) {
        try run(
            """
            INSERT INTO event (received_at, account, \(EventRecord.others))
            VALUES (?1, \(AccountID.number("?2", "?3")), ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """,
            try event.values()
        )
    }
}

extension EventRecord {
    /// The columns of `event` in the order of `init(_:)`.
    static let columns = "received_at, \(AccountID.text(in: "event")), \(others)"

    /// The columns after the account.
    fileprivate static let others = "type, envelope, payload, outcome, answer, payment_hash, steps, delivery"

    static let columnCount: Int32 = 10

    fileprivate func values() throws(StorageFault) -> [Value] {
        [
            try .time(receivedAt), .text(account.name.text), .text(account.domain.text), .text(type), .text(envelope),
            .text(payload),
            .text(outcome.rawValue), .text(answer), paymentHash.map { .blob($0.bytes) } ?? .null,
            .text(JSONValue.array(steps.map(\.json)).serialized()), .text(delivery?.rawValue),
        ]
    }

    init(_ row: borrowing Row) throws(StorageFault) {
        self.init(
            receivedAt: try row.time(0),
            account: try row.text(1) { try AccountID($0) },
            type: try row.text(2),
            envelope: try row.text(3),
            payload: try row.text(4),
            outcome: try row.text(5) { Outcome(rawValue: $0) },
            answer: try row.optionalText(6),
            paymentHash: row.isNull(7) ? nil : try row.blob(7) { try PaymentHash($0) },
            steps: try row.text(8) { try JSONValue(parsing: $0).array?.map(Step.init(json:)) },
            delivery: row.isNull(9) ? nil : try row.text(9) { Delivery(rawValue: $0) }
        )
    }
}

extension EventRecord.Step {
    /// A step as `["answer", 12]`.
    fileprivate var json: JSONValue { [.string(name), .unsigned(milliseconds)] }

    fileprivate init(json: JSONValue) throws(EventRowFault) {
        guard let parts = json.array, parts.count == 2, let name = parts[0].string, let time = parts[1].uint64 else {
            throw .step
        }
        self.init(name, milliseconds: time)
    }
}

/// Why a row of the event log cannot be read.
private enum EventRowFault: Error {
    case step
}
