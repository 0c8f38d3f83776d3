import LedgerRecords
package import LightningCoding
package import LightningCrypto
package import ResponderModel

extension ServerLedger {
    /// Extends the followed span of a backend or starts a new one, as `FollowedSpan.continued(at:)`.
    package func noteFollowing(
        _ backend: BackendName, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) {
        try await write(
            under: lease,
            query(
                """
                INSERT INTO followed_span (backend, since, until) VALUES ($1, $2, $2)
                ON CONFLICT (backend) DO UPDATE SET until = excluded.until, since = CASE
                    WHEN abs(excluded.until - followed_span.until) > $3 THEN excluded.since
                    ELSE followed_span.since END
                """,
                [.text(backend.description), try .time(now), try .unsigned(FollowedSpan.longestPause)]))
    }

    package func followedSpan(of backend: BackendName) async throws(LedgerFault) -> FollowedSpan? {
        try await first(
            "SELECT since, until FROM followed_span WHERE backend = $1", [.text(backend.description)]
        ) { row throws(StorageFault) in
            FollowedSpan(since: try row.time(0), until: try row.time(1))
        }
    }

    /// Stores the first node of that name and rejects every other.
    package func bind(_ backend: BackendName, to node: PublicKey) async throws(LedgerFault) {
        let name = Value.text(backend.description)
        let read = Query("SELECT node_id FROM backend_node WHERE backend = $1", [name])
        var known = try await Self.node(in: try await self.read(read))
        if known == nil {
            known = try await Self.node(
                in: try await write(
                    Query(
                        """
                        INSERT INTO backend_node (backend, node_id) VALUES ($1, $2) ON CONFLICT (backend) DO NOTHING
                        """, [name, .blob(node.bytes)]),
                    read)[1])
        }
        if let known, known != node { throw .anotherNode(known) }
    }

    private static func node(in set: ResultSet) async throws(LedgerFault) -> PublicKey? {
        try await LedgerFault.asking(
            try set.first { row throws(StorageFault) in try row.blob(0) { try PublicKey($0) } })
    }

    /// Deletes the node, the cursor and the followed span together.
    package func unbind(_ backend: BackendName) async throws(LedgerFault) -> Bool {
        let name = Value.text(backend.description)
        let sets = try await write(
            Query("DELETE FROM settlement_cursor WHERE backend = $1", [name]),
            Query("DELETE FROM followed_span WHERE backend = $1", [name]),
            Query("DELETE FROM backend_node WHERE backend = $1", [name]))
        return sets.contains { $0.affected > 0 }
    }
}
