import LNURL
import LedgerRecords
package import LightningCoding
package import LightningCrypto
package import ResponderModel

extension ServerLedger {
    /// Whom a name belongs to.
    package func standing(of account: AccountID) async throws(LedgerFault) -> NameStanding {
        try await first(Self.standing, account.values()) { row throws(StorageFault) in try NameStanding(row) } ?? .free
    }

    static let standing = NameStanding.query("$1", "(SELECT id FROM domain WHERE name = $2 AND is_removed = 0)")

    /// Keeps a name from everybody, in place of its last owner.
    package func reserve(_ name: AccountID, at now: UnixTime) async throws(LedgerFault) {
        let sets = try await write(
            Self.lock([.name(name)], in: name.domain),
            query(
                """
                INSERT INTO kept_name (domain, name, owner, since)
                SELECT id, $1, NULL, $3 FROM domain WHERE name = $2 AND is_removed = 0
                ON CONFLICT (domain, name) DO UPDATE SET owner = NULL, since = excluded.since
                """, name.values() + [try .time(now)]))
        guard sets[1].affected > 0 else { throw .unknownDomain(name.domain) }
    }

    /// Keeps a name from nobody any more.
    package func freeName(_ name: AccountID) async throws(LedgerFault) -> Bool {
        let sets = try await write(
            Query(
                "DELETE FROM kept_name WHERE name = $1 AND domain = (SELECT id FROM domain WHERE name = $2)",
                name.values()))
        return sets[0].affected > 0
    }

    /// The names that are kept from everybody.
    package func reservedNames() async throws(LedgerFault) -> [AccountID] {
        try await rows(
            """
            SELECT kept_name.name, domain.name FROM kept_name JOIN domain ON domain.id = kept_name.domain
            WHERE owner IS NULL ORDER BY domain.name, kept_name.name
            """, within: Self.longWork
        ) { row throws(StorageFault) in
            AccountID(try row.text(0) { try AddressName($0) }, at: try row.text(1) { try DomainName($0) })
        }
    }

    /// Deletes what is over. A registration that is not renewed leaves its name, held for its owner.
    package func pruneRegistrations(
        _ retention: RegistrationRetention, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) -> Int {
        var queries = [try query("DELETE FROM used_statement WHERE expires_at < $1", [try .time(now)])]
        if let lifetime = retention.lifetime {
            queries.append(try Self.removingUnrenewed(now.earlier(by: lifetime), now))
        }
        if let hold = retention.hold {
            queries.append(
                try query(
                    "DELETE FROM kept_name WHERE owner IS NOT NULL AND since <= $1", [try .time(now.earlier(by: hold))])
            )
        }
        queries.append(
            try query(
                "DELETE FROM paid_invoice WHERE recorded_at < $1", [try .time(now.earlier(by: retention.paid))]))
        let sets = try await write(under: lease, within: Self.longWork, queries)
        return sets.reduce(0) { $0 + $1.affected }
    }

    private static func removingUnrenewed(_ moment: UnixTime, _ now: UnixTime) throws(LedgerFault) -> Query {
        try query(
            """
            WITH gone AS (
                DELETE FROM registration WHERE refreshed_at < $1 AND id IN (
                    SELECT id FROM registration WHERE refreshed_at < $1
                    ORDER BY refreshed_at LIMIT \(RegistrationRetention.batch)
                ) RETURNING domain, name, public_key
            ), \(holdingNames(where: "true", since: "$2")) SELECT 1 FROM gone
            """, [try .time(moment), try .time(now)])
    }
}

extension ServerLedger {
    /// Remembers a paid invoice.
    package func keep(_ paid: PaidInvoice, of id: RegistrationID, at now: UnixTime) async throws(LedgerFault) {
        try await write(
            query(
                """
                INSERT INTO paid_invoice (registration, payment_hash, preimage, bolt11, recorded_at)
                SELECT id, $3, $4, $5, $6 FROM registration WHERE id = \(RegistrationID.number("$1", "$2"))
                ON CONFLICT (registration, payment_hash) DO NOTHING
                """, id.values() + paid.values() + [try .time(now)]),
            Query(
                """
                DELETE FROM paid_invoice WHERE registration = \(RegistrationID.number("$1", "$2")) AND id <= (
                    SELECT id FROM paid_invoice WHERE registration = \(RegistrationID.number("$1", "$2"))
                    ORDER BY id DESC LIMIT 1 OFFSET $3
                )
                """, id.values() + [.integer(Int64(PaidInvoice.maximumCount))]))
    }

    /// What is remembered of an invoice that was paid, or nil.
    package func paidInvoice(
        _ paymentHash: PaymentHash, of id: RegistrationID
    ) async throws(LedgerFault) -> PaidInvoice? {
        try await first(
            """
            SELECT preimage, bolt11 FROM paid_invoice
            WHERE registration = \(RegistrationID.number("$1", "$2")) AND payment_hash = $3
            """, id.values() + [.blob(paymentHash.bytes)]
        ) { row throws(StorageFault) in
            try PaidInvoice(paymentHash, row)
        }
    }
}
