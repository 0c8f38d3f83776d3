package import ResponderModel
package import LNURL
package import LightningCoding

extension SQLLedger {
    package func account(named id: AccountID) async throws(LedgerFault) -> Account? {
        try await first(Account.named, id.values(), Account.init)
    }

    package func accounts() async throws(LedgerFault) -> [Account] {
        try await rows(Account.query + " ORDER BY domain.name, account.name", within: longWork, Account.init)
    }

    /// Adds an account, continuing the versions of a removed one of that name, or changes its settings.
    package func putAccount(
        named id: AccountID, settings: AccountSettings, metadata: String, at now: UnixTime,
        expecting revision: UInt64?
    ) async throws(LedgerFault) -> Account {
        try await write { connection throws(LedgerFault) in
            try connection.lock(.accounts)
            try connection.lock(.name(id))
            try connection.require(revision)
            guard let domain = try connection.number(of: id.domain) else { throw .unknownDomain(id.domain) }
            switch try connection.nameState(of: id.name, in: domain) {
            case .registered, .held: throw .nameRegistered(id)
            case .free, .account, .reserved: break
            }
            try connection.put(id, settings, metadata: metadata, in: domain, at: now)
            try connection.requireOwnHosts()
            try connection.countAccountsRevision()
            guard let account = try connection.first(Account.named, id.values(), Account.init) else {
                throw .corrupt("account \(id) is gone")
            }
            return account
        }
    }

    /// Removes an account; its row is kept for its versions and invoices.
    package func removeAccount(named id: AccountID) async throws(LedgerFault) -> Bool {
        try await write { connection throws(LedgerFault) in
            try connection.lock(.accounts)
            let removed = try connection.changes(
                "UPDATE account SET is_removed = 1 WHERE id = \(AccountID.number("$1", "$2")) AND is_removed = 0",
                id.values())
            guard removed > 0 else { return false }
            try connection.countAccountsRevision()
            return true
        }
    }

    package func version(_ number: UInt64, of id: AccountID) async throws(LedgerFault) -> AccountVersion? {
        guard let version = Int64(exactly: number) else { return nil }
        return try await first(
            """
            SELECT account_version.metadata, account_version.payer_data
            FROM account JOIN account_version ON account_version.account = account.id
            WHERE account.id = \(AccountID.number("$1", "$2")) AND account.is_removed = 0
                AND account_version.version = $3
            """, id.values() + [.integer(version)]
        ) { row throws(LedgerFault) in
            try AccountVersion(number: number, row)
        }
    }

    package func metadata(
        of id: AccountID, shownAt moment: UnixTime
    ) async throws(LedgerFault) -> ShownMetadata? {
        try await first(
            """
            SELECT shown.version, shown.metadata, (
                SELECT next.created_at FROM account_version AS next
                WHERE next.account = shown.account AND next.version = shown.version + 1
            ) AS replaced_at
            FROM account JOIN account_version AS shown ON shown.account = account.id
            WHERE account.id = \(AccountID.number("$1", "$2")) AND account.is_removed = 0
                AND (shown.created_at <= $3 OR shown.version = 1)
            ORDER BY shown.version DESC LIMIT 1
            """, id.values() + [.time(moment)], ShownMetadata.init)
    }

    package func accountsRevision() async throws(LedgerFault) -> UInt64 {
        try await read { connection throws(LedgerFault) in try connection.accountsRevision() }
    }
}

extension SQLLedger {
    package func domains() async throws(LedgerFault) -> [Domain] {
        try await rows(Domain.query + " ORDER BY domain.name", [], Domain.init)
    }

    package func domain(_ name: DomainName) async throws(LedgerFault) -> Domain? {
        try await first(Domain.named, [.text(name.text)], Domain.init)
    }

    package func putDomain(
        at publicURL: PublicURL, _ settings: DomainSettings, expecting revision: UInt64?
    ) async throws(LedgerFault) -> Domain {
        let name = publicURL.domain
        return try await write { connection throws(LedgerFault) in
            try connection.lock(.accounts)
            try connection.require(revision)
            let others = try connection.domains().filter { $0.name != name }
            guard others.allSatisfy({ Set($0.hosts).isDisjoint(with: [name] + settings.aliases) }) else {
                throw .domainExists(name)
            }
            try connection.run(
                """
                INSERT INTO domain (name, public_url, settings, is_main) VALUES ($1, $2, $3, 0)
                ON CONFLICT (name) DO UPDATE SET
                    public_url = excluded.public_url, settings = excluded.settings, is_removed = 0
                """,
                [.text(name.text), .text(publicURL.text), .text(settings.json.serialized())])
            return try connection.changed(name)
        }
    }

    package func putMainDomain(
        at publicURL: HTTPURL, replacing former: PublicURL?
    ) async throws(LedgerFault) -> Domain {
        let url = PublicURL(publicURL)
        return try await write { connection throws(LedgerFault) in
            try connection.lock(.accounts)
            let present = try connection.domains().first(where: \.isMain)?.publicURL
            if let present, present != former, present != url { throw .mainDomainMoved(to: present) }
            return try connection.moveMainDomain(to: url)
        }
    }

    /// Removes a domain without accounts; its row is kept if it has had any.
    package func removeDomain(_ name: DomainName) async throws(LedgerFault) -> Bool {
        try await write { connection throws(LedgerFault) in
            try connection.lock(.accounts)
            try connection.lock(.registrations(in: name))
            guard let number = try connection.number(of: name) else { return false }
            let count = try connection.changes(
                """
                UPDATE domain SET is_removed = 1 WHERE id = $1 AND is_main = 0
                    AND NOT EXISTS (SELECT 1 FROM account WHERE account.domain = domain.id AND account.is_removed = 0)
                    AND NOT EXISTS (SELECT 1 FROM registration WHERE registration.domain = domain.id)
                """,
                [.integer(number)])
            guard count > 0 else { throw .domainInUse(name) }
            try connection.run("DELETE FROM kept_name WHERE domain = $1", [.integer(number)])
            try connection.run(
                """
                DELETE FROM domain WHERE id = $1
                    AND NOT EXISTS (SELECT 1 FROM account WHERE account.domain = domain.id)
                """,
                [.integer(number)])
            try connection.countAccountsRevision()
            return true
        }
    }

    package func publicURL() async throws(LedgerFault) -> HTTPURL? {
        try await first("SELECT public_url FROM service") { row throws(LedgerFault) in
            try row.text("public_url") { try HTTPURL($0) }
        }
    }

    package func keep(publicURL: HTTPURL) async throws(LedgerFault) {
        try await write { connection throws(LedgerFault) in
            try connection.lock(.accounts)
            _ = try connection.moveMainDomain(to: PublicURL(publicURL))
            try connection.run(
                """
                INSERT INTO service (id, public_url) VALUES (1, $1)
                ON CONFLICT (id) DO UPDATE SET public_url = excluded.public_url
                """,
                [.text(publicURL.text)])
        }
    }
}

extension LedgerConnection {
    fileprivate func accountsRevision() throws(LedgerFault) -> UInt64 {
        let revision = try first("SELECT revision FROM accounts_revision") { row throws(LedgerFault) in
            try row.unsigned("revision")
        }
        guard let revision else { throw .corrupt("the revision of the accounts is gone") }
        return revision
    }

    /// Goes on only if accounts and domains are as they were at that revision; nil is any.
    fileprivate func require(_ revision: UInt64?) throws(LedgerFault) {
        guard let revision else { return }
        guard try revision == accountsRevision() else { throw .changedMeanwhile }
    }

    /// Makes every process read accounts and imported keys anew.
    func countAccountsRevision() throws(LedgerFault) {
        try run("UPDATE accounts_revision SET revision = revision + 1")
        try tellOfAccounts()
    }

    /// A text or payer data other than those of the current version make a new one.
    fileprivate func put(
        _ id: AccountID, _ settings: AccountSettings, metadata: String, in domain: Int64, at now: UnixTime
    ) throws(LedgerFault) {
        let payerData = settings.payerData.setting.serialized()
        let known = try first(
            """
            SELECT account.id, account_version.metadata, account_version.payer_data
            FROM account JOIN account_version
                ON account_version.account = account.id AND account_version.version = account.version
            WHERE account.domain = $1 AND account.name = $2
            """,
            [.integer(domain), .text(id.name.text)]
        ) { row throws(LedgerFault) in
            let number = try row.integer("id")
            let (text, asked) = (try row.text("metadata"), try row.text("payer_data"))
            return (number: number, isCurrent: text == metadata && asked == payerData)
        }
        let text = StoredValue.text(settings.json.serialized())
        if let known {
            try run(
                "UPDATE account SET settings = $2, version = version + $3, is_removed = 0 WHERE id = $1",
                [.integer(known.number), text, .integer(known.isCurrent ? 0 : 1)])
            if known.isCurrent { return }
        } else {
            try run(
                "INSERT INTO account (domain, name, version, settings, created_at) VALUES ($1, $2, 1, $3, $4)",
                [.integer(domain), .text(id.name.text), text, .time(now)])
        }
        try run(
            """
            INSERT INTO account_version (account, version, metadata, payer_data, created_at)
            SELECT id, version, $3, $4, $5 FROM account WHERE domain = $1 AND name = $2
            """,
            [.integer(domain), .text(id.name.text), .text(metadata), .text(payerData), .time(now)])
    }

    fileprivate func domains() throws(LedgerFault) -> [Domain] { try rows(Domain.query, Domain.init) }

    func number(of domain: DomainName) throws(LedgerFault) -> Int64? {
        try first("SELECT id FROM domain WHERE name = $1 AND is_removed = 0", [.text(domain.text)]) {
            row throws(LedgerFault) in
            try row.integer("id")
        }
    }

    /// The main domain gets that URL, and its name, and keeps the former one as an alias; `domainExists` when another
    /// domain has the name or alias, or had it and has invoices.
    fileprivate func moveMainDomain(to url: PublicURL) throws(LedgerFault) -> Domain {
        let isAnothers = try exists("SELECT 1 FROM domain WHERE name = $1 AND is_main = 0", [.text(url.domain.text)])
        let domains = try domains()
        let taken = Set(domains.filter { !$0.isMain }.flatMap(\.hosts))
        guard !isAnothers, !taken.contains(url.domain) else { throw .domainExists(url.domain) }
        if let main = domains.first(where: \.isMain) {
            let settings =
                taken.contains(main.name) ? main.settings : main.settings.renamed(from: main.name, to: url.domain)
            try run(
                "UPDATE domain SET name = $1, public_url = $2, settings = $3 WHERE is_main = 1",
                [.text(url.domain.text), .text(url.text), .text(settings.json.serialized())])
        } else {
            try run(
                "INSERT INTO domain (name, public_url, settings, is_main) VALUES ($1, $2, '{}', 1)",
                [.text(url.domain.text), .text(url.text)])
        }
        return try changed(url.domain)
    }

    /// A domain that was written.
    fileprivate func changed(_ name: DomainName) throws(LedgerFault) -> Domain {
        try requireOwnHosts()
        try countAccountsRevision()
        guard let domain = try first(Domain.named, [.text(name.text)], Domain.init) else {
            throw .corrupt("domain \(name) is gone")
        }
        return domain
    }

    /// Ends the write when an account of a wildcard domain would share its own host with a domain.
    fileprivate func requireOwnHosts() throws(LedgerFault) {
        let domains = try domains()
        let wildcards = domains.filter { $0.hosts.contains(where: \.isWildcard) }
        for host in domains.flatMap(\.hosts) {
            for domain in wildcards {
                guard let name = domain.owner(of: host) else { continue }
                let account = AccountID(name, at: domain.name)
                if try exists(Account.named, account.values()) { throw .hostOfAccount }
            }
        }
    }
}
