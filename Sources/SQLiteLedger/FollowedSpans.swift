public import LightningCoding
public import Contracts
import SQLiteStorage

extension LedgerDatabase {
    /// Extends the followed span of a backend or starts a new one.
    public func noteFollowing(
        _ backend: BackendName, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) {
        let name = Value.text(backend.description)
        try await write(under: lease) { connection throws(StorageFault) in
            let span =
                try connection.followedSpan(of: name)?.continued(at: now) ?? FollowedSpan(since: now, until: now)
            try connection.run(
                """
                INSERT INTO followed_span (backend, since, until) VALUES (?1, ?2, ?3)
                ON CONFLICT (backend) DO UPDATE SET since = excluded.since, until = excluded.until
                """,
                [name, try .time(span.since), try .time(span.until)]
            )
        }
    }

    /// The followed span of a backend.
    public func followedSpan(of backend: BackendName) async throws(LedgerFault) -> FollowedSpan? {
        let name = Value.text(backend.description)
        return try await read { connection throws(StorageFault) in try connection.followedSpan(of: name) }
    }
}

extension Connection {
    fileprivate func followedSpan(of name: Value) throws(StorageFault) -> FollowedSpan? {
        try first("SELECT since, until FROM followed_span WHERE backend = ?1", [name]) { row throws(StorageFault) in
            FollowedSpan(since: try row.time(0), until: try row.time(1))
        }
    }
}
