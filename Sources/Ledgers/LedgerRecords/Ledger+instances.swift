import LNURL
import LightningCoding
package import ResponderModel

extension SQLLedger {
    /// Enters an instance at its start. Who comes first decides which keys are used.
    package func register(_ instance: InstanceRecord, isAlone: Bool) async throws(LedgerFault) {
        guard try await unfinishedCopy() == nil else { throw .unfinishedCopy }
        let now = try ownTime()
        try await write { connection throws(LedgerFault) in
            let isWelcome = try connection.exists(
                """
                INSERT INTO used_keys (id, fingerprint) VALUES (1, $1)
                ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint
                    WHERE CAST($2 AS bigint) = 1 OR used_keys.fingerprint = excluded.fingerprint
                RETURNING id
                """, [.blob(instance.keys.bytes), .integer(isAlone ? 1 : 0)])
            guard isWelcome else { throw .otherKeys }
            if isAlone { try connection.forgetInstances("") }
            try connection.enter(instance, at: now)
        }
    }

    package func heartbeat(
        of instance: InstanceRecord, forgettingAfter lifetime: UInt64?
    ) async throws(LedgerFault) -> Int {
        let now = try ownTime()
        return try await write { connection throws(LedgerFault) in
            try connection.enter(instance, at: now)
            if let lifetime {
                try connection.forgetInstances(
                    "WHERE seen_at <= \(Connection.time("$1")) - $2 AND instance_id <> $3",
                    [now, .integer(Int64(clamping: lifetime)), .text(instance.id.text)])
            }
            return try connection.first("SELECT count(*) AS count FROM instance") { row throws(LedgerFault) in
                Int(clamping: try row.integer("count"))
            } ?? 0
        }
    }

    package func unregister(_ instance: InstanceID) async throws(LedgerFault) {
        try await write { connection throws(LedgerFault) in
            // What it was doing was ended on purpose.
            try connection.run(
                """
                UPDATE outbox_entry SET held_by = NULL,
                    due_at = CASE WHEN due_at > created_at THEN created_at ELSE due_at END,
                    attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END
                WHERE held_by = $1 AND parked_at IS NULL
                """, [.text(instance.text)])
            try connection.forget(instance)
        }
    }

    package func instances() async throws(LedgerFault) -> [InstanceStatus] {
        let held = try await rows(
            """
            SELECT holder, name FROM lease
            WHERE holder IS NOT NULL AND until > \(Connection.time("$1")) ORDER BY name
            """, [try ownTime()]
        ) { row throws(LedgerFault) in
            (holder: try row.text("holder"), name: try row.text("name") { LeaseName($0) })
        }
        return try await rows("SELECT \(InstanceRecord.columns), seen_at FROM instance ORDER BY instance_id") {
            row throws(LedgerFault) in
            let record = try InstanceRecord(row)
            return InstanceStatus(
                record: record, seenAt: try row.time("seen_at"),
                leases: held.filter { $0.holder == record.id.text }.map(\.name))
        }
    }

    package func lease(
        _ name: LeaseName, for instance: InstanceID, lasting seconds: UInt64
    ) async throws(LedgerFault) -> Lease? {
        let values: [StoredValue] = [
            .text(name.text), .text(instance.text), .integer(Int64(clamping: seconds)), try ownTime(),
        ]
        let now = Connection.time("$4")
        return try await write { connection throws(LedgerFault) in
            try connection.first(
                """
                INSERT INTO lease AS known (name, epoch, holder, until) VALUES ($1, 1, $2, \(now) + $3)
                ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until, epoch = known.epoch
                    + CASE WHEN known.holder = excluded.holder AND known.until > \(now) THEN 0 ELSE 1 END
                WHERE known.holder IS NULL OR known.holder = excluded.holder OR known.until <= \(now)
                RETURNING epoch
                """, values
            ) { row throws(LedgerFault) in Lease(name: name, epoch: try row.unsigned("epoch")) }
        }
    }

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
    /// The time that leases and signs of life go by: the parameter's, or where that is null the database's own.
    fileprivate static func time(_ parameter: String) -> String { "coalesce(\(parameter), \(now))" }

    fileprivate func enter(_ instance: InstanceRecord, at now: StoredValue) throws(LedgerFault) {
        try run(
            """
            INSERT INTO instance (\(InstanceRecord.columns), seen_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, \(Self.time("$11")))
            ON CONFLICT (instance_id) DO UPDATE SET payers = excluded.payers, admin = excluded.admin,
                version = excluded.version, seen_at = excluded.seen_at
            """, try instance.values() + [now])
    }

    /// One that is being heard of at this moment is not forgotten.
    fileprivate func forgetInstances(_ condition: String, _ values: [StoredValue] = []) throws(LedgerFault) {
        let lost = try rows("SELECT instance_id FROM instance \(condition)\(Self.skippingLocked)", values) {
            row throws(LedgerFault) in
            try row.text("instance_id") { InstanceID($0) }
        }
        for instance in lost { try forget(instance) }
    }

    /// What an instance held is free; the work that it had taken on itself is due since it was added. What it had
    /// claimed stays claimed, until whoever carries out the outbox next frees it.
    fileprivate func forget(_ instance: InstanceID) throws(LedgerFault) {
        let id = [StoredValue.text(instance.text)]
        try run("UPDATE lease SET holder = NULL WHERE holder = $1", id)
        try run(
            """
            UPDATE outbox_entry SET held_by = NULL,
                due_at = CASE WHEN due_at > created_at THEN created_at ELSE due_at END
            WHERE held_by = $1 AND attempts = 0 AND parked_at IS NULL
            """, id)
        try run("DELETE FROM instance WHERE instance_id = $1", id)
    }
}

extension InstanceRecord {
    /// The columns of `instance` in the order of `init(_:)` and `values`.
    package static let columns =
        "instance_id, name, process, version, started_at, payers, admin, keys, public_url, tells_settlements"

    package func values() throws(LedgerFault) -> [StoredValue] {
        [
            .text(id.text), .text(name.text), .integer(Int64(process)), .text(version), try .time(startedAt),
            .text("\(payers)"), .text("\(admin)"), .blob(keys.bytes), .optionalText(publicURL?.text),
            .integer(tellsSettlementsOfAll ? 1 : 0),
        ]
    }

    package init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            id: try row.text("instance_id") { InstanceID($0) }, name: try row.text("name") { InstanceName($0) },
            process: Int32(clamping: try row.integer("process")), version: try row.text("version"),
            startedAt: try row.time("started_at"),
            payers: try row.text("payers") { try ListenAddress($0) },
            admin: try row.text("admin") { try ListenAddress($0) },
            publicURL: try row.optionalText("public_url") { try PublicURL($0) },
            keys: try row.blob("keys") { KeysFingerprint($0) },
            tellsSettlementsOfAll: try row.integer("tells_settlements") != 0)
    }
}
