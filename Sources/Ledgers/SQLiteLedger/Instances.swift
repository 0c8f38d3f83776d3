import LedgerRecords
import LightningCoding
import LightningCrypto
package import ResponderModel

extension LedgerDatabase {
    /// Nil: this machine's.
    package func time() async throws(LedgerFault) -> Duration? { nil }

    /// Enters an instance at its start.
    package func register(_ instance: InstanceRecord, isAlone: Bool) async throws(LedgerFault) {
        let now = clock()
        guard try await unfinishedCopy() == nil else { throw .unfinishedCopy }
        let isWelcome = try await write { connection throws(StorageFault) in
            let used = try connection.usedKeys()
            guard isAlone || used == nil || used == instance.keys else { return false }
            try connection.run(
                """
                INSERT INTO used_keys (id, fingerprint) VALUES (1, ?1)
                ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint
                """,
                [.blob(instance.keys.bytes)])
            if isAlone {
                for other in try connection.instances(notHeardOfSince: .integer(.max)) { try connection.forget(other) }
            }
            try connection.enter(instance, at: try .time(now))
            return true
        }
        guard isWelcome else { throw .otherKeys }
    }

    /// Notes that an instance is alive, and forgets those that are not.
    package func heartbeat(
        of instance: InstanceRecord, forgettingAfter lifetime: UInt64?
    ) async throws(LedgerFault) -> Int {
        let now = clock()
        return try await write { connection throws(StorageFault) in
            try connection.enter(instance, at: try .time(now))
            if let lifetime {
                let oldest = UnixTime(now.seconds(since: UnixTime(lifetime)))
                for other in try connection.instances(notHeardOfSince: try .time(oldest)) where other != instance.id {
                    try connection.forget(other)
                }
            }
            return try connection.first("SELECT count(*) FROM instance") { row throws(StorageFault) in
                Int(clamping: try row.integer(0))
            } ?? 0
        }
    }

    /// Forgets an instance that ends.
    package func unregister(_ instance: InstanceID) async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in
            // What it was doing was ended on purpose.
            try connection.run(
                "UPDATE outbox_entry SET attempts = max(attempts - 1, 0) WHERE held_by = ?1 AND parked_at IS NULL",
                [.text(instance.text)])
            try connection.forget(instance)
        }
    }

    /// The instances that are not forgotten, by their ids.
    package func instances() async throws(LedgerFault) -> [InstanceStatus] {
        let now = clock()
        return try await read { connection throws(StorageFault) in
            let held = try connection.rows(
                "SELECT holder, name FROM lease WHERE holder IS NOT NULL AND until > ?1 ORDER BY name",
                [try .time(now)]
            ) { row throws(StorageFault) in
                (holder: try row.text(0), name: try row.text(1) { LeaseName($0) })
            }
            return try connection.rows(
                "SELECT \(InstanceRecord.columns), seen_at FROM instance ORDER BY instance_id"
            ) { row throws(StorageFault) in
                let record = try InstanceRecord(row)
                return InstanceStatus(
                    record: record, seenAt: try row.time(10),
                    leases: held.filter { $0.holder == record.id.text }.map(\.name))
            }
        }
    }

    /// Forgets which keys were used.
    package func forgetKeys() async throws(LedgerFault) {
        _ = try await write { connection throws(StorageFault) in try connection.run("DELETE FROM used_keys") }
    }
}

extension Connection {
    fileprivate func usedKeys() throws(StorageFault) -> KeysFingerprint? {
        try first("SELECT fingerprint FROM used_keys") { row throws(StorageFault) in
            try row.blob(0) { KeysFingerprint($0) }
        }
    }

    fileprivate func enter(_ instance: InstanceRecord, at now: Value) throws(StorageFault) {
        try run(
            "INSERT OR REPLACE INTO instance (\(InstanceRecord.columns), seen_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            try instance.values() + [now])
    }

    fileprivate func instances(notHeardOfSince moment: Value) throws(StorageFault) -> [InstanceID] {
        try rows("SELECT instance_id FROM instance WHERE seen_at <= ?1", [moment]) { row throws(StorageFault) in
            try row.text(0) { InstanceID($0) }
        }
    }

    /// Work that it had claimed is due since it was added.
    fileprivate func forget(_ instance: InstanceID) throws(StorageFault) {
        try run("DELETE FROM instance WHERE instance_id = ?1", [.text(instance.text)])
        try run("UPDATE lease SET holder = NULL WHERE holder = ?1", [.text(instance.text)])
        try run(
            """
            UPDATE outbox_entry SET held_by = NULL, due_at = min(due_at, created_at)
            WHERE held_by = ?1 AND parked_at IS NULL
            """,
            [.text(instance.text)])
    }
}
