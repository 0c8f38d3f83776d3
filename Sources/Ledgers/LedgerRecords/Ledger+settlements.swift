package import ResponderModel
package import LightningCoding
package import LightningCrypto

extension SQLLedger {
    package func pass(
        to cursor: SettlementCursor, of backend: BackendName, under lease: Lease
    ) async throws(LedgerFault) {
        try await write(under: lease) { connection throws(LedgerFault) in try connection.move(backend, to: cursor) }
    }

    /// Moves the backend's cursor past a payment that cannot be read, and records that.
    package func pass(
        over skipped: UnreadableSettlement, of backend: BackendName, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) {
        try await write(under: lease) { connection throws(LedgerFault) in
            try connection.run(SkippedSettlements.add, skipped.values(of: backend, at: now))
            if let cursor = skipped.cursor { try connection.move(backend, to: cursor) }
        }
    }

    package func skippedSettlements(limit: Int) async throws(LedgerFault) -> [SkippedSettlement] {
        try await rows(SkippedSettlements.newest, [.integer(Int64(clamping: limit))], SkippedSettlement.init)
    }

    package func forgetCursor(of backend: BackendName, under lease: Lease) async throws(LedgerFault) {
        try await change(
            under: lease, "DELETE FROM settlement_cursor WHERE backend = $1", [.text(backend.description)])
    }

    package func cursor(of backend: BackendName) async throws(LedgerFault) -> SettlementCursor? {
        try await first("SELECT cursor FROM settlement_cursor WHERE backend = $1", [.text(backend.description)]) {
            row throws(LedgerFault) in
            SettlementCursor(try row.text("cursor"))
        }
    }

    /// Extends the followed span of a backend or starts a new one, as `FollowedSpan.continued(at:)`.
    package func noteFollowing(
        _ backend: BackendName, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) {
        try await change(
            under: lease,
            """
            INSERT INTO followed_span (backend, since, until) VALUES ($1, $2, $2)
            ON CONFLICT (backend) DO UPDATE SET until = excluded.until, since = CASE
                WHEN abs(excluded.until - followed_span.until) > $3 THEN excluded.since
                ELSE followed_span.since END
            """,
            [.text(backend.description), .time(now), .unsigned(FollowedSpan.longestPause)])
    }

    package func followedSpan(of backend: BackendName) async throws(LedgerFault) -> FollowedSpan? {
        try await first("SELECT since, until FROM followed_span WHERE backend = $1", [.text(backend.description)]) {
            row throws(LedgerFault) in
            FollowedSpan(since: try row.time("since"), until: try row.time("until"))
        }
    }

    /// Stores the first node of that name and rejects every other.
    package func bind(_ backend: BackendName, to node: PublicKey) async throws(LedgerFault) {
        var known = try await read { connection throws(LedgerFault) in try connection.node(of: backend) }
        if known == nil {
            known = try await write { connection throws(LedgerFault) in
                try connection.run(
                    "INSERT INTO backend_node (backend, node_id) VALUES ($1, $2) ON CONFLICT (backend) DO NOTHING",
                    [.text(backend.description), .blob(node.bytes)])
                return try connection.node(of: backend)
            }
        }
        if let known, known != node { throw .anotherNode(known) }
    }

    /// Deletes the node, the cursor and the followed span together.
    package func unbind(_ backend: BackendName) async throws(LedgerFault) -> Bool {
        try await write { connection throws(LedgerFault) in
            var count = 0
            for table in ["settlement_cursor", "followed_span", "backend_node"] {
                count += try connection.changes(
                    "DELETE FROM \(table) WHERE backend = $1", [.text(backend.description)])
            }
            return count > 0
        }
    }
}

extension SQLLedger {
    package func release(_ lease: Lease) async throws(LedgerFault) {
        try await change(
            "UPDATE lease SET holder = NULL WHERE name = $1 AND epoch = $2",
            [.text(lease.name.text), .unsigned(lease.epoch)])
    }

    package func forgetKeys() async throws(LedgerFault) {
        try await change("DELETE FROM used_keys")
    }
}

extension LedgerConnection {
    package func move(_ backend: BackendName, to cursor: SettlementCursor) throws(LedgerFault) {
        try run(SettlementCursor.moving, [.text(backend.description), .text(cursor.text)])
    }

    fileprivate func node(of backend: BackendName) throws(LedgerFault) -> PublicKey? {
        try first("SELECT node_id FROM backend_node WHERE backend = $1", [.text(backend.description)]) {
            row throws(LedgerFault) in
            try row.blob("node_id") { try PublicKey($0) }
        }
    }
}

extension SettlementCursor {
    /// For a backend and its cursor.
    package static let moving = """
        INSERT INTO settlement_cursor (backend, cursor) VALUES ($1, $2)
        ON CONFLICT (backend) DO UPDATE SET cursor = excluded.cursor
        """
}
