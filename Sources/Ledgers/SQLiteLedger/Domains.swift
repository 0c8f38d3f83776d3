package import LNURL
import LedgerRecords
package import LightningCoding
package import ResponderModel

extension LedgerDatabase {
    /// All domains, by name.
    package func domains() async throws(LedgerFault) -> [Domain] {
        try await read { connection throws(StorageFault) in
            try connection.rows(Domain.query + " ORDER BY domain.name") { row throws(StorageFault) in try Domain(row) }
        }
    }

    /// The domain of that name, or nil.
    package func domain(_ name: DomainName) async throws(LedgerFault) -> Domain? {
        try await read { connection throws(StorageFault) in try connection.domain(name) }
    }

    /// Adds a domain, or replaces the URL and the settings of the one of that name.
    package func putDomain(
        at publicURL: PublicURL, _ settings: DomainSettings, expecting revision: UInt64?
    ) async throws(LedgerFault) -> Domain {
        let name = publicURL.domain
        let outcome: Result<Domain, LedgerFault> = try await write { connection throws(StorageFault) in
            guard try connection.isAt(revision) else { return .failure(.changedMeanwhile) }
            let others = try connection.domains().filter { $0.name != name }
            guard others.allSatisfy({ Set($0.hosts).isDisjoint(with: [name] + settings.aliases) }) else {
                return .failure(.domainExists(name))
            }
            try connection.run(
                """
                INSERT INTO domain (name, public_url, settings, is_main) VALUES (?1, ?2, ?3, 0)
                ON CONFLICT (name) DO UPDATE SET
                    public_url = excluded.public_url, settings = excluded.settings, is_removed = 0
                """,
                [.text(name.text), .text(publicURL.text), .text(settings.json.serialized())])
            try connection.requireOwnHosts()
            try connection.countAccountsRevision()
            return .success(try connection.existingDomain(name))
        }
        return try outcome.get()
    }

    /// Gives the main domain that URL, and its name.
    package func putMainDomain(
        at publicURL: HTTPURL, replacing former: PublicURL?
    ) async throws(LedgerFault) -> Domain {
        let url = PublicURL(publicURL)
        let outcome: Result<Domain, LedgerFault> = try await write { connection throws(StorageFault) in
            let present = try connection.domains().first(where: \.isMain)?.publicURL
            if let present, present != former, present != url { return .failure(.mainDomainMoved(to: present)) }
            guard try connection.moveMainDomain(to: url) else { return .failure(.domainExists(url.domain)) }
            return .success(try connection.existingDomain(url.domain))
        }
        return try outcome.get()
    }

    /// Removes a domain without accounts; its row is kept if it has had any.
    package func removeDomain(_ name: DomainName) async throws(LedgerFault) -> Bool {
        let isRemoved: Bool? = try await write { connection throws(StorageFault) in
            guard try connection.domain(name) != nil else { return false }
            let count = try connection.run(
                """
                UPDATE domain SET is_removed = 1 WHERE name = ?1 AND is_main = 0
                    AND NOT EXISTS (SELECT 1 FROM account WHERE account.domain = domain.id AND account.is_removed = 0)
                    AND NOT EXISTS (SELECT 1 FROM registration WHERE registration.domain = domain.id)
                """,
                [.text(name.text)])
            guard count > 0 else { return nil }
            try connection.run(
                "DELETE FROM kept_name WHERE domain = (SELECT id FROM domain WHERE name = ?1)", [.text(name.text)])
            try connection.run(
                """
                DELETE FROM domain
                WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM account WHERE account.domain = domain.id)
                """,
                [.text(name.text)])
            try connection.countAccountsRevision()
            return true
        }
        guard let isRemoved else { throw .domainInUse(name) }
        return isRemoved
    }
}

extension Connection {
    fileprivate func domains() throws(StorageFault) -> [Domain] {
        try rows(Domain.query) { row throws(StorageFault) in try Domain(row) }
    }

    func domain(_ name: DomainName) throws(StorageFault) -> Domain? {
        try first(Domain.query + " AND domain.name = ?1", [.text(name.text)]) { row throws(StorageFault) in
            try Domain(row)
        }
    }

    /// The main domain gets that URL, and its name, and keeps the former one as an alias; false when another domain has the
    /// name or alias, or had it and has invoices.
    func moveMainDomain(to url: PublicURL) throws(StorageFault) -> Bool {
        let other = try first("SELECT 1 FROM domain WHERE name = ?1 AND is_main = 0", [.text(url.domain.text)]) { _ in
            true
        }
        let domains = try domains()
        let taken = Set(domains.filter { !$0.isMain }.flatMap(\.hosts))
        guard other == nil, !taken.contains(url.domain) else { return false }
        if let main = domains.first(where: \.isMain) {
            let settings =
                taken.contains(main.name) ? main.settings : main.settings.renamed(from: main.name, to: url.domain)
            try run(
                "UPDATE domain SET name = ?1, public_url = ?2, settings = ?3 WHERE is_main = 1",
                [.text(url.domain.text), .text(url.text), .text(settings.json.serialized())])
        } else {
            try run(
                "INSERT INTO domain (name, public_url, settings, is_main) VALUES (?1, ?2, '{}', 1)",
                [.text(url.domain.text), .text(url.text)])
        }
        try requireOwnHosts()
        try countAccountsRevision()
        return true
    }

    /// The constraint that `requireOwnHosts` keeps.
    static let hostOfAccount = "host of an account"

    /// Ends the write when an account of a wildcard domain would share its own host with a domain.
    func requireOwnHosts() throws(StorageFault) {
        let shared = try first(
            """
            WITH host (domain, name) AS (
                SELECT id, name FROM domain WHERE is_removed = 0
                UNION ALL SELECT domain.id, value FROM domain, json_each(settings, '$.aliases') WHERE is_removed = 0
            )
            SELECT 1 FROM host AS exact
                JOIN host AS wildcard ON wildcard.name = '*' || substr(exact.name, instr(exact.name, '.'))
                JOIN account ON account.domain = wildcard.domain AND account.is_removed = 0
                    AND account.name = substr(exact.name, 1, instr(exact.name, '.') - 1)
            WHERE instr(exact.name, '.') > 0
            """
        ) { _ in true }
        if shared == true { throw .constraint(Self.hostOfAccount) }
    }

    fileprivate func existingDomain(_ name: DomainName) throws(StorageFault) -> Domain {
        guard let domain = try domain(name) else { throw .corrupt("domain \(name) is gone") }
        return domain
    }
}

extension LedgerDatabase {
    /// Where payers reach the service, as in the addresses of the metadata; nil before the service has first run.
    package func publicURL() async throws(LedgerFault) -> HTTPURL? {
        try await read { connection throws(StorageFault) in
            try connection.first("SELECT public_url FROM service") { row throws(StorageFault) in
                try row.text(0) { try HTTPURL($0) }
            }
        }
    }

    /// Stores where payers reach the service.
    package func keep(publicURL: HTTPURL) async throws(LedgerFault) {
        let url = PublicURL(publicURL)
        let isKept = try await write { connection throws(StorageFault) in
            guard try connection.moveMainDomain(to: url) else { return false }
            try connection.run(
                """
                INSERT INTO service (id, public_url) VALUES (1, ?1)
                ON CONFLICT (id) DO UPDATE SET public_url = excluded.public_url
                """,
                [.text(publicURL.text)]
            )
            return true
        }
        guard isKept else { throw .domainExists(url.domain) }
    }
}
