import LedgerRecords
package import ResponderModel

extension ServerLedger {
    /// Records how a notification was handled.
    package func record(_ event: EventRecord) async throws(LedgerFault) {
        try await write(
            query(
                """
                INSERT INTO event (received_at, account, \(EventRecord.others))
                VALUES ($1, \(AccountID.number("$2", "$3")), $4, $5, $6, $7, $8, $9, $10, $11)
                """, event.values()))
    }

    /// Records how a notification was handled, and removes its work.
    package func record(_ event: EventRecord, finishing id: OutboxID) async throws(LedgerFault) {
        try await write(
            query(
                """
                WITH finished AS (DELETE FROM outbox_entry WHERE work_id = $12 RETURNING 1)
                INSERT INTO event (received_at, account, \(EventRecord.others))
                SELECT $1, \(AccountID.number("$2", "$3")), $4, $5, $6, $7, $8, $9, $10, $11 FROM finished
                """, event.values() + [.text(id.text)]))
    }

    /// A page of handled notifications, newest first.
    package func events(_ query: EventQuery) async throws(LedgerFault) -> EventPage {
        var listing = Listing(after: query.after, limit: query.limit)
        if let account = query.account { listing.require("account = ", account) }
        let selected = listing.query(of: EventRecord.columns, from: "event")
        let found = try await rows(selected.sql, selected.values) { row throws(StorageFault) in
            (position: try row.integer(EventRecord.columnCount), element: try EventRecord(row))
        }
        return Page(of: query.limit, from: found)
    }
}
