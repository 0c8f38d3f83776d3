import LNURL
import LedgerRecords
package import LightningCoding
import LightningCrypto
package import ResponderModel

extension LedgerDatabase {
    /// Carries an order out, in one transaction.
    package func carryOut(
        _ order: RegistrationOrder, under rules: RegistrationRules, at now: UnixTime
    ) async throws(RegistrationFault) -> Registration? {
        let outcome: Result<Registration?, RegistrationRefusal>? = try await awaiting(
            await write { connection throws(StorageFault) in
                guard let domain = try connection.number(of: order.id.domain) else { return nil }
                let state = try connection.state(for: order, rules, domain, at: now)
                let actions: [RegistrationAction]
                do throws(RegistrationRefusal) {
                    actions = try rules.actions(for: order, in: state, at: now)
                } catch {
                    return .failure(error)
                }
                for action in actions { try connection.perform(action, in: domain, at: now) }
                return .success(try connection.registration(order.id))
            }, as: RegistrationFault.ledger)
        guard let outcome else { throw .ledger(.unknownDomain(order.id.domain)) }
        return try rethrowing(outcome.get(), as: RegistrationFault.refused)
    }

    /// The registration of a key, or nil.
    package func registration(_ id: RegistrationID) async throws(LedgerFault) -> Registration? {
        try await read { connection throws(StorageFault) in try connection.registration(id) }
    }

    /// The registration with that name, or nil.
    package func registration(named account: AccountID) async throws(LedgerFault) -> Registration? {
        try await read { connection throws(StorageFault) in
            try connection.first(
                Registration.query + " WHERE registration.name = ?1 AND domain.name = ?2", account.values(),
                read: Registration.init)
        }
    }

    /// A page of registrations, newest first.
    package func registrations(_ query: RegistrationQuery) async throws(LedgerFault) -> Page<Registration> {
        let values: [Value] = [
            .integer(query.after?.position ?? .max), .integer(Int64(query.limit) + 1), .text(query.domain?.text),
        ]
        let found = try await read { connection throws(StorageFault) in
            try connection.rows(
                Registration.query
                    + " WHERE registration.id < ?1 AND (?3 IS NULL OR domain.name = ?3)"
                    + " ORDER BY registration.id DESC LIMIT ?2", values
            ) { row throws(StorageFault) in
                (position: try row.integer(Registration.columnCount), element: try Registration(row))
            }
        }
        return Page(of: query.limit, from: found)
    }

    /// Deletes a registration and everything that belongs to it.
    package func removeRegistration(
        _ id: RegistrationID, holdsName: Bool, at now: UnixTime
    ) async throws(LedgerFault) -> Bool {
        try await write { connection throws(StorageFault) in
            guard let domain = try connection.number(of: id.domain), let found = try connection.registration(id) else {
                return false
            }
            try connection.perform(.remove(id), in: domain, at: now)
            if holdsName, let name = found.name {
                try connection.perform(.hold(name, for: OwnerDigest(of: id.key)), in: domain, at: now)
            }
            return true
        }
    }
}

extension Connection {
    /// The number of a domain, or nil.
    func number(of domain: DomainName) throws(StorageFault) -> Int64? {
        try first("SELECT id FROM domain WHERE name = ?1 AND is_removed = 0", [.text(domain.text)]) {
            row throws(StorageFault) in
            try row.integer(0)
        }
    }

    func registration(_ id: RegistrationID) throws(StorageFault) -> Registration? {
        try first(
            Registration.query + " WHERE registration.public_key = ?1 AND domain.name = ?2",
            id.values(), read: Registration.init)
    }

    fileprivate func state(
        for order: RegistrationOrder, _ rules: RegistrationRules, _ domain: Int64, at now: UnixTime
    ) throws(StorageFault) -> RegistrationState {
        let since = now.earlier(by: rules.releasePeriod)
        return RegistrationState(
            own: try registration(order.id),
            standing: try order.name.map { name throws(StorageFault) in try standing(of: name, in: domain) } ?? .free,
            releases: try rows(
                "SELECT since FROM kept_name WHERE domain = ?1 AND owner = ?2 AND since > ?3",
                [.integer(domain), .blob(OwnerDigest(of: order.id.key).bytes), try .time(since)]
            ) { row throws(StorageFault) in try row.time(0) },
            used: try uses(of: order.claims))
    }

    private func uses(of claims: [StatementClaim]) throws(StorageFault) -> Set<StatementClaim.Use> {
        var uses: Set<StatementClaim.Use> = []
        for claim in claims {
            let query = "SELECT 1 FROM used_statement WHERE digest = ?1"
            if try first(query, [.blob(claim.digest)], read: { _ in true }) != nil { uses.insert(claim.use) }
        }
        return uses
    }

    fileprivate func perform(
        _ action: RegistrationAction, in domain: Int64, at now: UnixTime
    ) throws(StorageFault) {
        switch action {
        case .use(let claim):
            try run(
                "INSERT INTO used_statement (digest, expires_at) VALUES (?1, ?2)",
                [.blob(claim.digest), try .time(claim.expiresAt)])
        case .put(let registration): try put(registration, in: domain)
        case .remove(let id):
            try run(
                "DELETE FROM registration WHERE domain = ?1 AND public_key = ?2",
                [.integer(domain), .blob(id.key.bytes)])
        case .hold(let name, let owner): try keep(name, in: domain, for: owner, at: now)
        case .unhold(let name):
            try run("DELETE FROM kept_name WHERE domain = ?1 AND name = ?2", [.integer(domain), .text(name.text)])
        }
    }

    private func put(_ registration: Registration, in domain: Int64) throws(StorageFault) {
        try run("UPDATE registration_version SET version = version + 1")
        try run(
            """
            INSERT INTO registration (domain, \(Registration.columns), version)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, (SELECT version FROM registration_version))
            ON CONFLICT (domain, public_key) DO UPDATE SET \(Registration.replacement)
            """, [.integer(domain)] + registration.values())
    }
}
