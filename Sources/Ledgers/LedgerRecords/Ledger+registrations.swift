package import ResponderModel
import LNURL
package import LightningCoding
package import LightningCrypto

extension SQLLedger {
    /// Carries an order out, in one transaction: those about the same key or name follow each other.
    package func carryOut(
        _ order: RegistrationOrder, under rules: RegistrationRules, at now: UnixTime
    ) async throws(RegistrationFault) -> Registration? {
        let id = order.id
        let outcome: Result<Registration?, RegistrationRefusal> = try await awaiting(
            await write { connection throws(LedgerFault) in
                try connection.lock(.registration(id, name: order.name))
                guard let domain = try connection.number(of: id.domain) else { throw .unknownDomain(id.domain) }
                let state = try connection.state(for: order, rules, domain, at: now)
                let actions: [RegistrationAction]
                do throws(RegistrationRefusal) {
                    actions = try rules.actions(for: order, in: state, at: now)
                } catch {
                    return .failure(error)
                }
                for action in actions { try connection.perform(action, in: domain, at: now) }
                let present = try connection.first(Registration.byKey, id.values(), Registration.init)
                try connection.addJob(following: state.own, present, of: id, at: now)
                return .success(present)
            }, as: RegistrationFault.ledger)
        return try rethrowing(outcome.get(), as: RegistrationFault.refused)
    }

    package func registration(_ id: RegistrationID) async throws(LedgerFault) -> Registration? {
        try await first(Registration.byKey, id.values(), Registration.init)
    }

    package func registration(named account: AccountID) async throws(LedgerFault) -> Registration? {
        try await first(Registration.byName, account.values(), Registration.init)
    }

    package func registrations(_ query: RegistrationQuery) async throws(LedgerFault) -> Page<Registration> {
        var listing = Listing(
            of: Registration.columns, from: Registration.table, position: "registration.id", after: query.after,
            limit: query.limit)
        if let domain = query.domain { listing.require("domain.name =", .text(domain.text)) }
        return try await page(listing, of: query.limit, Registration.init)
    }

    package func removeRegistration(
        _ id: RegistrationID, holdsName: Bool, at now: UnixTime
    ) async throws(LedgerFault) -> Bool {
        try await write { connection throws(LedgerFault) in
            try connection.lock(.registration(id, name: nil))
            guard let domain = try connection.number(of: id.domain),
                let found = try connection.first(Registration.byKey, id.values(), Registration.init)
            else { return false }
            try connection.perform(.remove(id), in: domain, at: now)
            if holdsName, let name = found.name {
                try connection.perform(.hold(name, for: OwnerDigest(of: id.key)), in: domain, at: now)
            }
            try connection.addJob(following: found, nil, of: id, at: now)
            return true
        }
    }
}

extension SQLLedger {
    package func nameState(of account: AccountID) async throws(LedgerFault) -> NameState {
        let domain = "(SELECT id FROM domain WHERE name = $2 AND is_removed = 0)"
        return try await first(NameState.query("$1", domain), account.values(), NameState.init) ?? .free
    }

    package func reserve(_ name: AccountID, at now: UnixTime) async throws(LedgerFault) {
        try await write { connection throws(LedgerFault) in
            try connection.lock(.name(name))
            guard let domain = try connection.number(of: name.domain) else { throw .unknownDomain(name.domain) }
            try connection.keep(name.name, in: domain, for: nil, at: now)
        }
    }

    package func freeName(_ name: AccountID) async throws(LedgerFault) -> Bool {
        try await change(
            "DELETE FROM kept_name WHERE name = $1 AND domain = (SELECT id FROM domain WHERE name = $2)",
            name.values()) > 0
    }

    package func reservedNames() async throws(LedgerFault) -> [AccountID] {
        try await rows(
            """
            SELECT kept_name.name, domain.name AS domain FROM kept_name JOIN domain ON domain.id = kept_name.domain
            WHERE owner IS NULL ORDER BY domain.name, kept_name.name
            """, within: longWork
        ) { row throws(LedgerFault) in
            AccountID(try row.text("name") { try AddressName($0) }, at: try row.text("domain") { try DomainName($0) })
        }
    }

    /// Deletes what is over. A registration that is not renewed leaves its name, held for its owner.
    package func pruneRegistrations(
        _ retention: RegistrationRetention, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault) -> Int {
        try await write(under: lease, within: longWork) { connection throws(LedgerFault) in
            var count = try connection.changes("DELETE FROM used_statement WHERE expires_at < $1", [.time(now)])
            if let lifetime = retention.lifetime {
                count += try connection.removeUnrenewed(since: now.earlier(by: lifetime), at: now)
            }
            if let hold = retention.hold {
                count += try connection.changes(
                    "DELETE FROM kept_name WHERE owner IS NOT NULL AND since <= $1", [.time(now.earlier(by: hold))])
            }
            return try count
                + connection.changes(
                    "DELETE FROM paid_invoice WHERE recorded_at < $1", [.time(now.earlier(by: retention.paid))])
        }
    }

    package func keep(_ paid: PaidInvoice, of id: RegistrationID, at now: UnixTime) async throws(LedgerFault) {
        try await write { connection throws(LedgerFault) in
            try connection.run(
                """
                INSERT INTO paid_invoice (registration, payment_hash, preimage, bolt11, recorded_at)
                SELECT id, $3, $4, $5, $6 FROM registration WHERE id = \(RegistrationID.number("$1", "$2"))
                ON CONFLICT (registration, payment_hash) DO NOTHING
                """, id.values() + paid.values() + [.time(now)])
            try connection.run(
                """
                DELETE FROM paid_invoice WHERE registration = \(RegistrationID.number("$1", "$2")) AND id <= (
                    SELECT id FROM paid_invoice WHERE registration = \(RegistrationID.number("$1", "$2"))
                    ORDER BY id DESC LIMIT 1 OFFSET $3
                )
                """, id.values() + [.integer(Int64(PaidInvoice.maximumCount))])
        }
    }

    package func paidInvoice(
        _ paymentHash: PaymentHash, of id: RegistrationID
    ) async throws(LedgerFault) -> PaidInvoice? {
        try await first(
            """
            SELECT preimage, bolt11 FROM paid_invoice
            WHERE registration = \(RegistrationID.number("$1", "$2")) AND payment_hash = $3
            """, id.values() + [.blob(paymentHash.bytes)]
        ) { row throws(LedgerFault) in
            try PaidInvoice(paymentHash, row)
        }
    }
}

extension LedgerConnection {
    func nameState(of name: AddressName, in domain: Int64) throws(LedgerFault) -> NameState {
        try first(NameState.query("$1", "$2"), [.text(name.text), .integer(domain)], NameState.init) ?? .free
    }

    /// Keeps a name for an owner, unless it is reserved, or from everybody.
    fileprivate func keep(
        _ name: AddressName, in domain: Int64, for owner: OwnerDigest?, at now: UnixTime
    ) throws(LedgerFault) {
        try run(
            """
            INSERT INTO kept_name (domain, name, owner, since) VALUES ($1, $2, $3, $4)
            ON CONFLICT (domain, name) DO UPDATE SET owner = excluded.owner, since = excluded.since
            WHERE kept_name.owner IS NOT NULL OR excluded.owner IS NULL
            """,
            [.integer(domain), .text(name.text), .optionalBlob(owner?.bytes), .time(now)])
    }

    fileprivate func removeUnrenewed(since moment: UnixTime, at now: UnixTime) throws(LedgerFault) -> Int {
        let found = try rows(
            """
            SELECT \(Registration.columns), registration.domain AS number FROM \(Registration.table)
            WHERE refreshed_at < $1 ORDER BY refreshed_at LIMIT \(RegistrationRetention.batch)
            """, [.time(moment)]
        ) { row throws(LedgerFault) in (try Registration(row), domain: try row.integer("number")) }
        for (former, domain) in found {
            let key = former.id.key
            // It may be renewed meanwhile.
            let count = try changes(
                "DELETE FROM registration WHERE domain = $1 AND public_key = $2 AND refreshed_at < $3",
                [.integer(domain), .blob(key.bytes), .time(moment)])
            guard count > 0 else { continue }
            if let name = former.name { try keep(name, in: domain, for: OwnerDigest(of: key), at: now) }
            try addJob(following: former, nil, of: former.id, at: now)
        }
        return found.count
    }

    fileprivate func state(
        for order: RegistrationOrder, _ rules: RegistrationRules, _ domain: Int64, at now: UnixTime
    ) throws(LedgerFault) -> RegistrationState {
        var used: Set<StatementClaim.Use> = []
        for claim in order.claims {
            let isUsed = try exists("SELECT 1 FROM used_statement WHERE digest = $1", [.blob(claim.digest)])
            if isUsed { used.insert(claim.use) }
        }
        let since = now.earlier(by: rules.releasePeriod)
        return RegistrationState(
            own: try first(Registration.byKey, order.id.values(), Registration.init),
            nameState: try order.name.map { name throws(LedgerFault) in try nameState(of: name, in: domain) } ?? .free,
            releases: try rows(
                "SELECT since FROM kept_name WHERE domain = $1 AND owner = $2 AND since > $3",
                [.integer(domain), .blob(OwnerDigest(of: order.id.key).bytes), .time(since)]
            ) { row throws(LedgerFault) in try row.time("since") },
            used: used)
    }

    /// Adds the work of telling an owner who has devices that their registration was changed.
    ///
    /// - Parameters:
    ///   - former: the registration before; nil when there was none. One that was removed a moment ago counts.
    ///   - present: the registration now; nil when it was removed.
    fileprivate func addJob(
        following former: Registration?, _ present: Registration?, of id: RegistrationID, at now: UnixTime
    ) throws(LedgerFault) {
        guard former?.version != present?.version else { return }
        let before = if let former { RegistrationChange.State(former) } else { try lastState(of: id) }
        let after = present.map(RegistrationChange.State.init)
        guard let before, let change = RegistrationChange(of: id, from: before, to: after),
            try exists("SELECT 1 FROM device WHERE owner = $1 LIMIT 1", [.blob(id.key.bytes)])
        else { return }
        let dueAt = present == nil ? now.adding(seconds: RegistrationChange.pause) : now
        try add(OutboxWork(change, at: now, dueAt: dueAt), heldBy: nil)
    }

    /// What a registration was by the last change of which its owner is still to be told.
    private func lastState(of id: RegistrationID) throws(LedgerFault) -> RegistrationChange.State? {
        let last = try first(
            """
            SELECT \(OutboxWork.columns) FROM outbox_entry WHERE kind = $1 AND subject = $2 AND parked_at IS NULL
            ORDER BY id DESC LIMIT 1
            """, [.text(RegistrationChange.kind.rawValue), .text(RegistrationChange.subject(of: id).text)],
            OutboxWork.init
        ).flatMap { RegistrationChange($0) }
        return last?.present ?? last?.former
    }

    fileprivate func perform(
        _ action: RegistrationAction, in domain: Int64, at now: UnixTime
    ) throws(LedgerFault) {
        switch action {
        case .use(let claim):
            try run(
                "INSERT INTO used_statement (digest, expires_at) VALUES ($1, $2)",
                [.blob(claim.digest), .time(claim.expiresAt)])
        case .put(let registration): try put(registration, in: domain)
        case .remove(let id):
            try run(
                "DELETE FROM registration WHERE domain = $1 AND public_key = $2",
                [.integer(domain), .blob(id.key.bytes)])
        case .hold(let name, let owner): try keep(name, in: domain, for: owner, at: now)
        case .unhold(let name):
            try run("DELETE FROM kept_name WHERE domain = $1 AND name = $2", [.integer(domain), .text(name.text)])
        }
    }
}
