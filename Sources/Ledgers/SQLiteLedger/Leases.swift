import LightningCoding
package import ResponderModel

extension LedgerDatabase {
    /// Takes a lease that is free or has run out, or renews it.
    package func lease(
        _ name: LeaseName, for instance: InstanceID, lasting seconds: UInt64
    ) async throws(LedgerFault) -> Lease? {
        let now = clock()
        return try await write { connection throws(StorageFault) in
            try connection.first(
                """
                INSERT INTO lease (name, epoch, holder, until) VALUES (?1, 1, ?2, ?3)
                ON CONFLICT (name) DO UPDATE SET
                    epoch = epoch + (holder IS NOT excluded.holder OR until <= ?4),
                    holder = excluded.holder, until = excluded.until
                WHERE holder IS NULL OR holder = excluded.holder OR until <= ?4
                RETURNING epoch
                """,
                [.text(name.text), .text(instance.text), try .time(now.adding(seconds: seconds)), try .time(now)]
            ) { row throws(StorageFault) in
                Lease(name: name, epoch: try row.unsigned(0))
            }
        }
    }

    /// Gives a lease back.
    package func release(_ lease: Lease) async throws(LedgerFault) {
        _ = try await write { connection throws(StorageFault) in
            try connection.run(
                "UPDATE lease SET holder = NULL WHERE name = ?1 AND epoch = ?2",
                [.text(lease.name.text), try .unsigned(lease.epoch)])
        }
    }

    /// Writes while a lease is held; without a lease, in any case.
    ///
    /// - Throws: `leaseLost`, and then nothing is written.
    func write<Result: Sendable>(
        under lease: Lease?, _ body: @escaping @Sendable (Connection) throws(StorageFault) -> Result
    ) async throws(LedgerFault) -> Result {
        let written: Result? = try await write { connection throws(StorageFault) in
            guard try lease.map({ lease throws(StorageFault) in try connection.isHeld(lease) }) ?? true else {
                return nil
            }
            return try body(connection)
        }
        guard let written else { throw .leaseLost }
        return written
    }
}

extension Connection {
    /// Whether nobody has taken a lease over since, and it was not given back.
    fileprivate func isHeld(_ lease: Lease) throws(StorageFault) -> Bool {
        try first(
            "SELECT 1 FROM lease WHERE name = ?1 AND epoch = ?2 AND holder IS NOT NULL",
            [.text(lease.name.text), try .unsigned(lease.epoch)]
        ) { _ in true } ?? false
    }
}
