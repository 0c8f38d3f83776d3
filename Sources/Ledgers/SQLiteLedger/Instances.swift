import LightningCoding
import LightningCrypto
package import ResponderModel
import LedgerRecords

extension LedgerDatabase {
    /// Nil: this machine's.
    package func time() async throws(LedgerFault) -> Duration? { nil }

    package func register(_ instance: InstanceRecord, isAlone: Bool) async throws(LedgerFault) {
        let now = clock()
        guard try await unfinishedCopy() == nil else { throw .unfinishedCopy }
        try await write { connection throws(LedgerFault) in
            let used = try connection.usedKeys()
            guard isAlone || used == nil || used == instance.keys else { throw .otherKeys }
            try connection.run(
                """
                INSERT INTO used_keys (id, fingerprint) VALUES (1, $1)
                ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint
                """,
                [.blob(instance.keys.bytes)])
            if isAlone {
                for other in try connection.instances(notHeardOfSince: .integer(.max)) { try connection.forget(other) }
            }
            try connection.enter(instance, at: .time(now))
        }
    }

    /// Notes that an instance is alive, and forgets those that are not.
    package func heartbeat(
        of instance: InstanceRecord, forgettingAfter lifetime: UInt64?
    ) async throws(LedgerFault) -> Int {
        let now = clock()
        return try await write { connection throws(LedgerFault) in
            try connection.enter(instance, at: .time(now))
            if let lifetime {
                let oldest = UnixTime(now.seconds(since: UnixTime(lifetime)))
                for other in try connection.instances(notHeardOfSince: try .time(oldest)) where other != instance.id {
                    try connection.forget(other)
                }
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
                UPDATE outbox_entry SET held_by = NULL, due_at = min(due_at, created_at), attempts = max(attempts - 1, 0)
                WHERE held_by = $1 AND parked_at IS NULL
                """,
                [.text(instance.text)])
            try connection.forget(instance)
        }
    }

    /// The instances that are not forgotten, by their ids.
    package func instances() async throws(LedgerFault) -> [InstanceStatus] {
        let now = clock()
        return try await read { connection throws(LedgerFault) in
            let held = try connection.rows(
                "SELECT holder, name FROM lease WHERE holder IS NOT NULL AND until > $1 ORDER BY name",
                [try .time(now)]
            ) { row throws(LedgerFault) in
                (holder: try row.text("holder"), name: try row.text("name") { LeaseName($0) })
            }
            return try connection.rows(
                "SELECT \(InstanceRecord.columns), seen_at FROM instance ORDER BY instance_id"
            ) { row throws(LedgerFault) in
                let record = try InstanceRecord(row)
                return InstanceStatus(
                    record: record, seenAt: try row.time("seen_at"),
                    leases: held.filter { $0.holder == record.id.text }.map(\.name))
            }
        }
    }
}

extension LedgerDatabase {
    /// Takes a lease that is free or has run out, or renews it.
    package func lease(
        _ name: LeaseName, for instance: InstanceID, lasting seconds: UInt64
    ) async throws(LedgerFault) -> Lease? {
        let now = clock()
        return try await write { connection throws(LedgerFault) in
            try connection.first(
                """
                INSERT INTO lease (name, epoch, holder, until) VALUES ($1, 1, $2, $3)
                ON CONFLICT (name) DO UPDATE SET
                    epoch = epoch + (holder IS NOT excluded.holder OR until <= $4),
                    holder = excluded.holder, until = excluded.until
                WHERE holder IS NULL OR holder = excluded.holder OR until <= $4
                RETURNING epoch
                """,
                [.text(name.text), .text(instance.text), .time(now.adding(seconds: seconds)), .time(now)]
            ) { row throws(LedgerFault) in
                Lease(name: name, epoch: try row.unsigned("epoch"))
            }
        }
    }
}

extension FileConnection {
    /// Goes on only while nobody has taken a lease over, and it was not given back.
    func require(_ lease: Lease) throws(LedgerFault) {
        let isHeld = try exists(
            "SELECT 1 FROM lease WHERE name = $1 AND epoch = $2 AND holder IS NOT NULL",
            [.text(lease.name.text), .unsigned(lease.epoch)])
        guard isHeld else { throw .leaseLost }
    }

    fileprivate func usedKeys() throws(LedgerFault) -> KeysFingerprint? {
        try first("SELECT fingerprint FROM used_keys") { row throws(LedgerFault) in
            try row.blob("fingerprint") { KeysFingerprint($0) }
        }
    }

    fileprivate func enter(_ instance: InstanceRecord, at now: StoredValue) throws(LedgerFault) {
        try run(
            "INSERT OR REPLACE INTO instance (\(InstanceRecord.columns), seen_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            try instance.values() + [now])
    }

    fileprivate func instances(notHeardOfSince moment: StoredValue) throws(LedgerFault) -> [InstanceID] {
        try rows("SELECT instance_id FROM instance WHERE seen_at <= $1", [moment]) { row throws(LedgerFault) in
            try row.text("instance_id") { InstanceID($0) }
        }
    }

    /// Work that it had taken on itself is due since it was added. What it had claimed stays claimed, until whoever carries out
    /// the outbox next frees it.
    fileprivate func forget(_ instance: InstanceID) throws(LedgerFault) {
        try run("DELETE FROM instance WHERE instance_id = $1", [.text(instance.text)])
        try run("UPDATE lease SET holder = NULL WHERE holder = $1", [.text(instance.text)])
        try run(
            """
            UPDATE outbox_entry SET held_by = NULL, due_at = min(due_at, created_at)
            WHERE held_by = $1 AND attempts = 0 AND parked_at IS NULL
            """,
            [.text(instance.text)])
    }
}
