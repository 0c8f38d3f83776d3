import LNURL
package import LightningCoding
import LightningCrypto
package import ResponderModel

extension SQLLedger {
    package func record(_ event: EventRecord) async throws(LedgerFault) {
        try await change(
            """
            INSERT INTO event (received_at, account, \(EventRecord.others))
            VALUES ($1, \(AccountID.number("$2", "$3")), $4, $5, $6, $7, $8, $9, $10, $11)
            """, event.values())
    }

    package func record(_ event: EventRecord, finishing id: OutboxID) async throws(LedgerFault) {
        try await write { connection throws(LedgerFault) in
            try connection.lock(.work(id))
            try connection.run(
                """
                INSERT INTO event (received_at, account, \(EventRecord.others))
                SELECT $1, \(AccountID.number("$2", "$3")), $4, $5, $6, $7, $8, $9, $10, $11
                FROM outbox_entry WHERE work_id = $12
                """, event.values() + [.text(id.text)])
            try connection.run(OutboxWork.removal, [.text(id.text)])
        }
    }

    package func events(_ query: EventQuery) async throws(LedgerFault) -> Page<EventRecord> {
        var listing = Listing(of: EventRecord.columns, from: "event", after: query.after, limit: query.limit)
        if let account = query.account { listing.requireAccount(account) }
        return try await page(listing, of: query.limit, EventRecord.init)
    }

    package func pruneEvents(
        before moment: UnixTime, keeping newest: UInt64, under lease: Lease
    ) async throws(LedgerFault) -> Int {
        try await write(under: lease, within: longWork) { connection throws(LedgerFault) in
            try connection.changes("DELETE FROM event WHERE received_at < $1", [.time(moment)])
                + connection.changes(
                    "DELETE FROM event WHERE id <= (SELECT id FROM event ORDER BY id DESC LIMIT 1 OFFSET $1)",
                    [.integer(Int64(clamping: newest))])
        }
    }
}

extension EventRecord {
    /// The columns of `event` in the order of `init(_:)`.
    package static let columns = "received_at, \(AccountID.text(in: "event")), \(others)"

    /// The columns after the account, in the order of `values`.
    package static let others = "type, envelope, payload, outcome, answer, payment_hash, steps, delivery"

    /// When it was received, the account's name and domain, and the other columns.
    package func values() throws(LedgerFault) -> [StoredValue] {
        [
            try .time(receivedAt), .text(account.name.text), .text(account.domain.text), .text(type), .text(envelope),
            .text(payload), .text(outcome.rawValue), .optionalText(answer), .optionalBlob(paymentHash?.bytes),
            .text(JSONValue.array(steps.map(\.json)).serialized()), .optionalText(delivery?.rawValue),
        ]
    }

    package init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            receivedAt: try row.time("received_at"),
            account: try row.text("account") { try AccountID($0) },
            type: try row.text("type"),
            envelope: try row.text("envelope"),
            payload: try row.text("payload"),
            outcome: try row.text("outcome") { Outcome(rawValue: $0) },
            answer: try row.optionalText("answer"),
            paymentHash: try row.optionalBlob("payment_hash") { try PaymentHash($0) },
            steps: try row.text("steps") { try JSONValue(parsing: $0).array?.map(Step.init(json:)) },
            delivery: try row.optionalText("delivery") { Delivery(rawValue: $0) })
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

private enum EventRowFault: Error {
    case step
}
