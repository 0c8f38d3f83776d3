import LNURL
import LedgerRecords
package import LightningCoding
import LightningCrypto
package import ResponderModel

extension ServerLedger {
    /// Carries an order out, in one transaction: those about the same key or name follow each other.
    package func carryOut(
        _ order: RegistrationOrder, under rules: RegistrationRules, at now: UnixTime
    ) async throws(RegistrationFault) -> Registration? {
        let outcome: Result<Registration?, RegistrationFault>
        do throws(StorageFault) {
            outcome = try await database.transaction(.writing, within: .seconds(2)) {
                transaction throws(StorageFault) in
                guard let (domain, state) = try await transaction.state(for: order, rules, at: now) else {
                    return .failure(.ledger(.unknownDomain(order.id.domain)))
                }
                let actions: [RegistrationAction]
                do throws(RegistrationRefusal) {
                    actions = try rules.actions(for: order, in: state, at: now)
                } catch {
                    return .failure(.refused(error))
                }
                return .success(try await transaction.perform(actions, in: domain, of: order.id, at: now))
            }
        } catch {
            throw .ledger(LedgerFault(error))
        }
        return try outcome.get()
    }

    /// The registration of a key, or nil.
    package func registration(_ id: RegistrationID) async throws(LedgerFault) -> Registration? {
        try await first(Registration.byKey, id.values()) { row throws(StorageFault) in try Registration(row) }
    }

    /// The registration with that name, or nil.
    package func registration(named account: AccountID) async throws(LedgerFault) -> Registration? {
        try await first(
            Registration.query + " WHERE registration.name = $1 AND domain.name = $2", account.values()
        ) { row throws(StorageFault) in
            try Registration(row)
        }
    }

    /// A page of registrations, newest first.
    package func registrations(_ query: RegistrationQuery) async throws(LedgerFault) -> Page<Registration> {
        let ofDomain = query.domain == nil ? "" : "AND registration.domain = (SELECT id FROM domain WHERE name = $3)"
        let domain: [Value] = query.domain.map { [.text($0.text)] } ?? []
        let found = try await rows(
            Registration.query + " WHERE registration.id < $1 \(ofDomain) ORDER BY registration.id DESC LIMIT $2",
            [.integer(query.after?.position ?? .max), .integer(Int64(clamping: query.limit) + 1)] + domain
        ) { row throws(StorageFault) in
            (position: try row.integer(Registration.columnCount), element: try Registration(row))
        }
        return Page(of: query.limit, from: found)
    }

    /// Deletes a registration and everything that belongs to it.
    package func removeRegistration(
        _ id: RegistrationID, holdsName: Bool, at now: UnixTime
    ) async throws(LedgerFault) -> Bool {
        let sets = try await write(
            Self.lock([.key(id)], in: id.domain),
            query(
                """
                WITH gone AS (
                    DELETE FROM registration WHERE id = \(RegistrationID.number("$1", "$2"))
                    RETURNING domain, name, public_key
                ), \(Self.holdingNames(where: "$3", since: "$4")) SELECT 1 FROM gone
                """, id.values() + [.boolean(holdsName), try .time(now)]))
        return sets[1].count > 0
    }

    /// Holds the names of registrations that are gone for their owners; reserved ones stay reserved.
    static func holdingNames(where condition: String, since: String) -> String {
        """
        held AS (
            INSERT INTO kept_name (domain, name, owner, since)
            SELECT domain, name, sha256(public_key), \(since) FROM gone WHERE name IS NOT NULL AND \(condition)
            ON CONFLICT (domain, name) DO UPDATE SET owner = excluded.owner, since = excluded.since
            WHERE kept_name.owner IS NOT NULL
        )
        """
    }
}

extension Registration {
    fileprivate static let byKey = query + " WHERE registration.public_key = $1 AND domain.name = $2"
}

extension Transaction {
    /// The number of the order's domain, and what is known about those whom the order concerns, which stays so until the
    /// transaction ends; nil when there is no such domain.
    fileprivate func state(
        for order: RegistrationOrder, _ rules: RegistrationRules, at now: UnixTime
    ) async throws(StorageFault) -> (domain: Int64, state: RegistrationState)? {
        let id = order.id
        let name = order.name.map { [RegistrationLock.name(AccountID($0, at: id.domain))] } ?? []
        let domain = "(SELECT id FROM domain WHERE name = $2)"
        let used = order.claims.map { claim in
            Query("SELECT 1 FROM used_statement WHERE digest = $1", [.blob(claim.digest)])
        }
        let known = [
            ServerLedger.lock([.key(id)] + name, in: id.domain),
            Query("SELECT id FROM domain WHERE name = $1 AND is_removed = 0", [.text(id.domain.text)]),
            Query(Registration.byKey, id.values()),
            Query(ServerLedger.standing, [.text(order.name?.text), .text(id.domain.text)]),
            Query(
                "SELECT since FROM kept_name WHERE owner = $1 AND domain = \(domain) AND since > $3",
                [
                    .blob(OwnerDigest(of: id.key).bytes), .text(id.domain.text),
                    try .time(now.earlier(by: rules.releasePeriod)),
                ]),
        ]
        let sets = try await run(known + used)
        guard let number = try sets[1].first({ row throws(StorageFault) in try row.integer(0) }) else { return nil }
        return (
            number,
            RegistrationState(
                own: try sets[2].first { row throws(StorageFault) in try Registration(row) },
                standing: try sets[3].first { row throws(StorageFault) in try NameStanding(row) } ?? .free,
                releases: try sets[4].rows { row throws(StorageFault) in try row.time(0) },
                used: Set(zip(order.claims, sets[known.count...]).compactMap { $1.count > 0 ? $0.use : nil }))
        )
    }

    /// Does what an order asks for.
    ///
    /// - Returns: the registration of the key that has signed, as it is then.
    fileprivate func perform(
        _ actions: [RegistrationAction], in domain: Int64, of id: RegistrationID, at now: UnixTime
    ) async throws(StorageFault) -> Registration? {
        var queries: [Query] = []
        for action in actions { queries.append(try Self.query(of: action, in: domain, at: now)) }
        let set = try await run(queries + [Query(Registration.byKey, id.values())]).last
        return try set?.first { row throws(StorageFault) in try Registration(row) }
    }

    private static func query(
        of action: RegistrationAction, in domain: Int64, at now: UnixTime
    ) throws(StorageFault) -> Query {
        switch action {
        case .use(let claim):
            Query(
                "INSERT INTO used_statement (digest, expires_at) VALUES ($1, $2)",
                [.blob(claim.digest), try .time(claim.expiresAt)])
        case .put(let registration):
            Query(
                """
                INSERT INTO registration (domain, \(Registration.columns), version)
                VALUES ($1, $2, $3, $4, $5, $6, $7, nextval('registration_version'))
                ON CONFLICT (domain, public_key) DO UPDATE SET \(Registration.replacement)
                """, [.integer(domain)] + (try registration.values()))
        case .remove(let id):
            Query(
                "DELETE FROM registration WHERE domain = $1 AND public_key = $2",
                [.integer(domain), .blob(id.key.bytes)])
        case .hold(let name, let owner):
            Query(
                """
                INSERT INTO kept_name (domain, name, owner, since) VALUES ($1, $2, $3, $4)
                ON CONFLICT (domain, name) DO UPDATE SET owner = excluded.owner, since = excluded.since
                WHERE kept_name.owner IS NOT NULL
                """, [.integer(domain), .text(name.text), .blob(owner.bytes), try .time(now)])
        case .unhold(let name):
            Query("DELETE FROM kept_name WHERE domain = $1 AND name = $2", [.integer(domain), .text(name.text)])
        }
    }
}
