import LightningCoding
package import ResponderModel
import LedgerRecords

extension ServerLedger {
    /// The time since 1970 by the server's clock.
    package func time() async throws(LedgerFault) -> Duration? {
        try await first("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now") {
            row throws(LedgerFault) in
            .milliseconds(try row.integer("now"))
        }
    }

    /// Enters an instance at its start. Who comes first decides which keys are used.
    package func register(_ instance: InstanceRecord, isAlone: Bool) async throws(LedgerFault) {
        guard try await unfinishedCopy() == nil else { throw .unfinishedCopy }
        let isWelcome = try await write(
            """
            INSERT INTO used_keys (id, fingerprint) VALUES (1, $1)
            ON CONFLICT (id) DO UPDATE SET
                fingerprint = CASE WHEN $2::bigint = 1 THEN excluded.fingerprint ELSE used_keys.fingerprint END
            RETURNING fingerprint = $1 AS is_welcome
            """, [.blob(instance.keys.bytes), .integer(isAlone ? 1 : 0)]
        ) { row throws(LedgerFault) in try row.boolean("is_welcome") }
        guard isWelcome == [true] else { throw .otherKeys }
        let others = isAlone ? Self.forgetting("SELECT instance_id FROM instance") : []
        try await write(others + [Self.entering(instance)])
    }

    /// Notes that an instance is alive, and forgets those that are not.
    package func heartbeat(
        of instance: InstanceRecord, forgettingAfter lifetime: UInt64?
    ) async throws(LedgerFault) -> Int {
        let lost = """
            SELECT instance_id FROM instance
            WHERE seen_at <= clock_timestamp() - make_interval(secs => $1::bigint) AND instance_id <> $2
            """
        let forgetting = lifetime.map { lifetime in
            Self.forgetting(lost, [.integer(Int64(clamping: lifetime)), .text(instance.id.text)])
        }
        let sets = try await write(
            [Self.entering(instance)] + (forgetting ?? []) + [Query("SELECT count(*) AS count FROM instance")])
        return try sets.last?.read { row throws(LedgerFault) in Int(clamping: try row.integer("count")) }.first ?? 0
    }

    package func unregister(_ instance: InstanceID) async throws(LedgerFault) {
        // What it was doing was ended on purpose.
        let freeing = Query(
            """
            UPDATE outbox_entry
            SET held_by = NULL, due_at = least(due_at, created_at), attempts = greatest(attempts - 1, 0)
            WHERE held_by = $1 AND parked_at IS NULL
            """,
            [.text(instance.text)])
        try await write([freeing] + Self.forgetting("$1", [.text(instance.text)]))
    }

    private static func entering(_ instance: InstanceRecord) throws(LedgerFault) -> Query {
        Query(
            """
            INSERT INTO instance (\(InstanceRecord.columns), seen_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp())
            ON CONFLICT (instance_id) DO UPDATE SET payers = excluded.payers, admin = excluded.admin,
                version = excluded.version, seen_at = excluded.seen_at
            """, of: try instance.values())
    }

    /// What those instances held is free; the work that they had taken on themselves is due since it was added. What they had
    /// claimed stays claimed, until whoever carries out the outbox next frees it.
    ///
    /// - Parameter ids: an id, or a query for ids.
    private static func forgetting(_ ids: String, _ values: [Value] = []) -> [Query] {
        [
            Query("UPDATE lease SET holder = NULL WHERE holder IN (\(ids))", values),
            Query(
                """
                UPDATE outbox_entry SET held_by = NULL, due_at = least(due_at, created_at)
                WHERE held_by IN (\(ids)) AND attempts = 0 AND parked_at IS NULL
                """, values),
            Query("DELETE FROM instance WHERE instance_id IN (\(ids))", values),
        ]
    }

    /// The instances that are not forgotten, by their ids.
    package func instances() async throws(LedgerFault) -> [InstanceStatus] {
        let held = try await rows(
            "SELECT holder, name FROM lease WHERE holder IS NOT NULL AND until > clock_timestamp() ORDER BY name"
        ) { row throws(LedgerFault) in
            (holder: try row.text("holder"), name: try row.text("name") { LeaseName($0) })
        }
        return try await rows(
            """
            SELECT \(InstanceRecord.columns), extract(epoch FROM seen_at)::bigint AS seen_at FROM instance ORDER BY instance_id
            """
        ) { row throws(LedgerFault) in
            let record = try InstanceRecord(row)
            return InstanceStatus(
                record: record, seenAt: try row.time("seen_at"),
                leases: held.filter { $0.holder == record.id.text }.map(\.name))
        }
    }

    /// Takes a lease that is free or has run out, or renews it; by the server's clock.
    package func lease(
        _ name: LeaseName, for instance: InstanceID, lasting seconds: UInt64
    ) async throws(LedgerFault) -> Lease? {
        try await write(
            """
            INSERT INTO lease AS known (name, epoch, holder, until)
            VALUES ($1, 1, $2, clock_timestamp() + make_interval(secs => $3::bigint))
            ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until, epoch = known.epoch
                + (known.holder IS DISTINCT FROM excluded.holder OR known.until <= clock_timestamp())::int
            WHERE known.holder IS NULL OR known.holder = excluded.holder OR known.until <= clock_timestamp()
            RETURNING epoch
            """,
            [.text(name.text), .text(instance.text), .integer(Int64(clamping: seconds))]
        ) { row throws(LedgerFault) in Lease(name: name, epoch: try row.unsigned("epoch")) }.first
    }
}
