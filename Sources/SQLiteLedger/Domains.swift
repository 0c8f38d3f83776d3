public import LNURL
public import LightningCoding
public import Contracts
import SQLiteStorage

extension LedgerDatabase {
    /// All domains, by name.
    public func domains() async throws(LedgerFault) -> [Domain] {
        try await read { connection throws(StorageFault) in
            try connection.rows(Domain.query + " ORDER BY domain.name") { row throws(StorageFault) in try Domain(row) }
        }
    }

    /// The domain of that name, or nil.
    public func domain(_ name: DomainName) async throws(LedgerFault) -> Domain? {
        try await read { connection throws(StorageFault) in try connection.domain(name) }
    }

    /// Adds a domain, or replaces the URL and the settings of the one of that name.
    public func putDomain(
        at publicURL: PublicURL, _ settings: DomainSettings
    ) async throws(LedgerFault) -> Domain {
        try await write { connection throws(StorageFault) in
            try connection.run(
                """
                INSERT INTO domain (name, public_url, settings, is_main) VALUES (?1, ?2, ?3, 0)
                ON CONFLICT (name) DO UPDATE SET
                    public_url = excluded.public_url, settings = excluded.settings, is_removed = 0
                """,
                [.text(publicURL.domain.text), .text(publicURL.text), .text(settings.json.serialized())])
            try connection.countAccountsRevision()
            return try connection.existingDomain(publicURL.domain)
        }
    }

    /// Gives the main domain that URL, and its name.
    public func putMainDomain(at publicURL: HTTPURL) async throws(LedgerFault) -> Domain {
        let url = PublicURL(publicURL)
        let domain = try await write { connection throws(StorageFault) in
            try connection.moveMainDomain(to: url) ? try connection.existingDomain(url.domain) : nil
        }
        guard let domain else { throw .domainExists(url.domain) }
        return domain
    }

    /// Removes a domain without accounts; its row is kept if it has had any.
    public func removeDomain(_ name: DomainName) async throws(LedgerFault) -> Bool {
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
    func domain(_ name: DomainName) throws(StorageFault) -> Domain? {
        try first(Domain.query + " AND domain.name = ?1", [.text(name.text)]) { row throws(StorageFault) in
            try Domain(row)
        }
    }

    /// The main domain gets that URL, and its name; false when another domain has the name, or had it and has invoices.
    func moveMainDomain(to url: PublicURL) throws(StorageFault) -> Bool {
        let other = try first("SELECT 1 FROM domain WHERE name = ?1 AND is_main = 0", [.text(url.domain.text)]) { _ in
            true
        }
        guard other == nil else { return false }
        let isThere = try run(
            "UPDATE domain SET name = ?1, public_url = ?2 WHERE is_main = 1", [.text(url.domain.text), .text(url.text)])
        if isThere == 0 {
            try run(
                "INSERT INTO domain (name, public_url, settings, is_main) VALUES (?1, ?2, '{}', 1)",
                [.text(url.domain.text), .text(url.text)])
        }
        try countAccountsRevision()
        return true
    }

    fileprivate func existingDomain(_ name: DomainName) throws(StorageFault) -> Domain {
        guard let domain = try domain(name) else { throw .corrupt("domain \(name) is gone") }
        return domain
    }
}

extension Domain {
    /// The columns that `init(_:at:)` reads.
    static let columns = "domain.public_url, domain.settings, domain.is_main"

    fileprivate static let query = "SELECT \(columns) FROM domain WHERE domain.is_removed = 0"

    /// - Parameter first: the number of the first of the columns.
    init(_ row: borrowing Row, at first: Int32 = 0) throws(StorageFault) {
        self.init(
            publicURL: try row.text(first) { try PublicURL($0) },
            settings: try row.text(first + 1) { try DomainSettings(json: JSONValue(parsing: $0)) },
            isMain: try row.integer(first + 2) != 0
        )
    }
}
