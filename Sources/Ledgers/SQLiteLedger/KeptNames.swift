import LNURL
import LedgerRecords
package import LightningCoding
import LightningCrypto
package import ResponderModel

extension LedgerDatabase {
    /// Whom a name belongs to.
    package func standing(of account: AccountID) async throws(LedgerFault) -> NameStanding {
        try await read { connection throws(StorageFault) in
            guard let domain = try connection.number(of: account.domain) else { return .free }
            return try connection.standing(of: account.name, in: domain)
        }
    }

    /// Keeps a name from everybody, in place of its last owner.
    package func reserve(_ name: AccountID, at now: UnixTime) async throws(LedgerFault) {
        let isKnown = try await write { connection throws(StorageFault) in
            guard let domain = try connection.number(of: name.domain) else { return false }
            try connection.keep(name.name, in: domain, for: nil, at: now)
            return true
        }
        guard isKnown else { throw .unknownDomain(name.domain) }
    }

    /// Keeps a name from nobody any more.
    package func freeName(_ name: AccountID) async throws(LedgerFault) -> Bool {
        try await write { connection throws(StorageFault) in
            try connection.run(
                """
                DELETE FROM kept_name WHERE name = ?1 AND domain = (SELECT id FROM domain WHERE name = ?2)
                """,
                name.values()) > 0
        }
    }

    /// The names that are kept from everybody.
    package func reservedNames() async throws(LedgerFault) -> [AccountID] {
        try await read { connection throws(StorageFault) in
            try connection.rows(
                """
                SELECT kept_name.name, domain.name FROM kept_name JOIN domain ON domain.id = kept_name.domain
                WHERE owner IS NULL ORDER BY domain.name, kept_name.name
                """
            ) { row throws(StorageFault) in
                AccountID(try row.text(0) { try AddressName($0) }, at: try row.text(1) { try DomainName($0) })
            }
        }
    }

    /// Deletes what is over. A registration that is not renewed leaves its name, held for its owner.
    package func pruneRegistrations(
        _ retention: RegistrationRetention, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) -> Int {
        try await write(under: lease) { connection throws(StorageFault) in
            var count = try connection.run("DELETE FROM used_statement WHERE expires_at < ?1", [try .time(now)])
            if let lifetime = retention.lifetime {
                count += try connection.removeUnrenewed(since: now.earlier(by: lifetime), at: now)
            }
            if let hold = retention.hold {
                count += try connection.run(
                    "DELETE FROM kept_name WHERE owner IS NOT NULL AND since <= ?1", [try .time(now.earlier(by: hold))])
            }
            return try count
                + connection.run(
                    "DELETE FROM paid_invoice WHERE recorded_at < ?1", [try .time(now.earlier(by: retention.paid))])
        }
    }
}

extension Connection {
    func standing(of name: AddressName, in domain: Int64) throws(StorageFault) -> NameStanding {
        let standing = try first(NameStanding.query("?1", "?2"), [.text(name.text), .integer(domain)]) {
            row throws(StorageFault) in
            try NameStanding(row)
        }
        return standing ?? .free
    }

    /// Keeps a name for an owner, unless it is reserved, or from everybody.
    func keep(
        _ name: AddressName, in domain: Int64, for owner: OwnerDigest?, at now: UnixTime
    ) throws(StorageFault) {
        try run(
            """
            INSERT INTO kept_name (domain, name, owner, since) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (domain, name) DO UPDATE SET owner = excluded.owner, since = excluded.since
            WHERE kept_name.owner IS NOT NULL OR excluded.owner IS NULL
            """,
            [.integer(domain), .text(name.text), owner.map { .blob($0.bytes) } ?? .null, try .time(now)])
    }

    fileprivate func removeUnrenewed(since moment: UnixTime, at now: UnixTime) throws(StorageFault) -> Int {
        let found = try rows(
            "SELECT id, domain, public_key, name FROM registration WHERE refreshed_at < ?1 LIMIT \(RegistrationRetention.batch)",
            [try .time(moment)]
        ) { row throws(StorageFault) in
            (
                id: try row.integer(0), domain: try row.integer(1), key: try row.blob(2) { try PublicKey($0) },
                name: row.isNull(3) ? nil : try row.text(3) { try AddressName($0) }
            )
        }
        for (id, domain, key, name) in found {
            try run("DELETE FROM registration WHERE id = ?1", [.integer(id)])
            if let name { try keep(name, in: domain, for: OwnerDigest(of: key), at: now) }
        }
        return found.count
    }
}
