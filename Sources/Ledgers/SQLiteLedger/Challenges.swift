import LedgerRecords
package import LightningCoding
package import ResponderModel

extension LedgerDatabase {
    /// Whether a challenge has been used.
    package func isUsed(_ challenge: UsedChallenge) async throws(LedgerFault) -> Bool {
        try await read { connection throws(StorageFault) in
            try connection.first("SELECT 1 FROM used_challenge WHERE bytes = ?1", [.blob(challenge.bytes)]) { _ in true
            }
                ?? false
        }
    }

    /// Deletes expired challenges and requests; returns how many.
    package func prune(before now: UnixTime, under lease: Lease) async throws(LedgerFault) -> Int {
        try await write(under: lease) { connection throws(StorageFault) in
            try connection.run(DeviceStatements.pruneWakes, [try .time(now)])
            try connection.run(DeviceStatements.pruneStatements, [try .time(now)])
            return try connection.run("DELETE FROM used_challenge WHERE expires_at < ?1", [try .time(now)])
                + connection.run("DELETE FROM answered_request WHERE expires_at < ?1", [try .time(now)])
        }
    }
}

extension Connection {
    func use(_ challenge: UsedChallenge) throws(StorageFault) {
        try run(
            "INSERT INTO used_challenge (bytes, expires_at) VALUES (?1, ?2)",
            [.blob(challenge.bytes), try .time(challenge.expiresAt)]
        )
    }
}
