import LNURL
import LedgerRecords
package import LightningCoding
import LightningCrypto
package import ResponderModel

extension LedgerDatabase {
    /// Records how a notification was handled.
    package func record(_ event: EventRecord) async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in try connection.add(event) }
    }

    /// A page of handled notifications, newest first.
    package func events(_ query: EventQuery) async throws(LedgerFault) -> EventPage {
        let account = query.account == nil ? "" : "AND account = \(AccountID.number("?3", "?4"))"
        let values: [Value] = [.integer(query.after?.position ?? .max), .integer(Int64(query.limit) + 1)]
        let found = try await read { connection throws(StorageFault) in
            try connection.rows(
                "SELECT \(EventRecord.columns), id FROM event WHERE id < ?1 \(account) ORDER BY id DESC LIMIT ?2",
                values + (query.account?.values() ?? [])
            ) { row throws(StorageFault) in
                (position: try row.integer(EventRecord.columnCount), element: try EventRecord(row))
            }
        }
        // One more than requested is read, to know whether there is a next page.
        return Page(of: query.limit, from: found)
    }

    /// Deletes handled notifications older than a moment, and all but the newest ones; returns how many.
    package func pruneEvents(
        before moment: UnixTime, keeping newest: UInt64, under lease: Lease
    ) async throws(LedgerFault) -> Int {
        try await write(under: lease) { connection throws(StorageFault) in
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
