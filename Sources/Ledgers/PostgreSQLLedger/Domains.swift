package import LNURL
import LedgerRecords
package import LightningCoding
package import ResponderModel

extension ServerLedger {
    /// All domains, by name.
    package func domains() async throws(LedgerFault) -> [Domain] {
        try await rows(Domain.query + " ORDER BY domain.name") { row throws(StorageFault) in try Domain(row) }
    }

    /// The domain of that name, or nil.
    package func domain(_ name: DomainName) async throws(LedgerFault) -> Domain? {
        try await first(Self.namedDomain, [.text(name.text)]) { row throws(StorageFault) in try Domain(row) }
    }

    private static let namedDomain = Domain.query + " AND domain.name = $1"

    /// Adds a domain, or replaces the URL and the settings of the one of that name.
    package func putDomain(
        at publicURL: PublicURL, _ settings: DomainSettings, expecting revision: UInt64?
    ) async throws(LedgerFault) -> Domain {
        let sets = try await write(
            Self.lockAccounts,
            Query(
                """
                INSERT INTO domain (name, public_url, settings, is_main) SELECT $1::text, $2::text, $3::text, 0
                WHERE \(Self.isExpected("$4")) AND NOT EXISTS (
                    SELECT 1 FROM domain AS other WHERE other.is_removed = 0 AND other.name <> $1 AND (
                        $3::text::jsonb -> 'aliases' ? other.name OR \(Self.aliases("other")) ? $1
                        OR \(Self.aliases("other")) ?| ARRAY(SELECT jsonb_array_elements_text($3::text::jsonb -> 'aliases'))
                    )
                )
                ON CONFLICT (name) DO UPDATE SET
                    public_url = excluded.public_url, settings = excluded.settings, is_removed = 0
                """,
                [
                    .text(publicURL.domain.text), .text(publicURL.text), .text(settings.json.serialized()),
                    Self.expected(revision),
                ]),
            Self.requireOwnHosts, Self.countRevision(expecting: revision), Self.notify,
            Query(Self.namedDomain, [.text(publicURL.domain.text)]))
        try Self.require(revision, in: sets[0])
        guard sets[1].affected > 0 else { throw .domainExists(publicURL.domain) }
        return try await written(publicURL.domain, in: sets.last)
    }

    /// Gives the main domain that URL, and its name.
    package func putMainDomain(
        at publicURL: HTTPURL, replacing former: PublicURL?
    ) async throws(LedgerFault) -> Domain {
        let url = PublicURL(publicURL)
        let sets = try await write(
            Self.lockAccounts,
            Query("SELECT public_url FROM domain WHERE is_main = 1"),
            Self.moveMainDomain(to: url, from: .some(former)),
            Self.requireOwnHosts, Self.countRevision, Self.notify,
            Query(Self.namedDomain, [.text(url.domain.text)]))
        let present = try await LedgerFault.asking(
            try sets[1].first { row throws(StorageFault) in try row.text(0) { try PublicURL($0) } })
        guard sets[2].affected > 0 else {
            if let present, present != former, present != url { throw .mainDomainMoved(to: present) }
            throw .domainExists(url.domain)
        }
        return try await written(url.domain, in: sets.last)
    }

    private static func aliases(_ table: String) -> String { "(\(table).settings::jsonb -> 'aliases')" }

    /// Changes the main domain, which keeps its former name as an alias if it can be one, or makes it; changes nothing when
    /// another domain has the name or alias, or had the name, or when its URL is neither the new nor the expected one.
    ///
    /// - Parameter expected: the URL that it has, nil for no main domain; without it the present one does not matter.
    private static func moveMainDomain(to url: PublicURL, from expected: PublicURL??) -> Query {
        Query(
            """
            WITH other AS (
                SELECT 1 FROM domain WHERE is_main = 0 AND (name = $1 OR is_removed = 0 AND \(aliases("domain")) ? $1)
                UNION ALL SELECT 1 FROM domain
                WHERE is_main = 1 AND public_url <> $2 AND public_url IS DISTINCT FROM $3 AND NOT $4
            ), known AS (
                SELECT alias, place
                FROM domain, jsonb_array_elements_text(\(aliases("domain"))) WITH ORDINALITY AS listed (alias, place)
                WHERE is_main = 1 AND alias <> $1 AND alias <> name
                UNION ALL SELECT name, \(DomainSettings.maximumCount + 1) FROM domain AS main WHERE is_main = 1 AND NOT EXISTS (
                    SELECT 1 FROM domain WHERE is_main = 0 AND is_removed = 0 AND \(aliases("domain")) ? main.name
                )
            ), kept AS (
                SELECT alias, place FROM known WHERE $1 ~ '[.]onion(:[0-9]+)?$' OR alias !~ '[.]onion(:[0-9]+)?$'
                ORDER BY place LIMIT \(DomainSettings.maximumCount)
            ), moved AS (
                UPDATE domain SET name = $1, public_url = $2, settings = CASE WHEN name = $1 THEN settings ELSE jsonb_set(
                    settings::jsonb, '{aliases}', (SELECT coalesce(jsonb_agg(alias ORDER BY place), '[]') FROM kept)
                )::text END WHERE is_main = 1 AND NOT EXISTS (SELECT 1 FROM other)
                RETURNING 1
            ), made AS (
                INSERT INTO domain (name, public_url, settings, is_main) SELECT $1, $2, '{}', 1
                WHERE NOT EXISTS (SELECT 1 FROM other) AND NOT EXISTS (SELECT 1 FROM domain WHERE is_main = 1)
                RETURNING 1
            )
            SELECT 1 FROM moved UNION ALL SELECT 1 FROM made
            """,
            [.text(url.domain.text), .text(url.text), .text((expected ?? nil)?.text), .boolean(expected == nil)])
    }

    /// Removes a domain without accounts; its row is kept if it has had any.
    package func removeDomain(_ name: DomainName) async throws(LedgerFault) -> Bool {
        let sets = try await write(
            Self.lockAccounts, Self.lockRegistrations(in: name),
            Query("SELECT 1 FROM domain WHERE name = $1 AND is_removed = 0", [.text(name.text)]),
            Query(
                """
                WITH removed AS (
                    UPDATE domain SET is_removed = 1 WHERE name = $1 AND is_main = 0 AND is_removed = 0
                        AND NOT EXISTS (SELECT 1 FROM account WHERE account.domain = domain.id AND account.is_removed = 0)
                        AND NOT EXISTS (SELECT 1 FROM registration WHERE registration.domain = domain.id)
                    RETURNING id
                ), free AS (DELETE FROM kept_name WHERE domain IN (SELECT id FROM removed))
                UPDATE accounts_revision SET revision = revision + 1 WHERE EXISTS (SELECT 1 FROM removed)
                """, [.text(name.text)]),
            Query(
                """
                DELETE FROM domain WHERE name = $1 AND is_removed = 1
                    AND NOT EXISTS (SELECT 1 FROM account WHERE account.domain = domain.id)
                """, [.text(name.text)]),
            Self.notify)
        guard sets[2].count > 0 else { return false }
        guard sets[3].affected > 0 else { throw .domainInUse(name) }
        return true
    }

    /// Where payers reach the service, as in the addresses of the metadata; nil before the service has first run.
    package func publicURL() async throws(LedgerFault) -> HTTPURL? {
        try await first("SELECT public_url FROM service") { row throws(StorageFault) in
            try row.text(0) { try HTTPURL($0) }
        }
    }

    /// Stores where payers reach the service.
    package func keep(publicURL: HTTPURL) async throws(LedgerFault) {
        let url = PublicURL(publicURL)
        let sets = try await write(
            Self.lockAccounts, Self.moveMainDomain(to: url, from: nil),
            Query(
                """
                INSERT INTO service (id, public_url)
                SELECT 1, $2 WHERE EXISTS (SELECT 1 FROM domain WHERE name = $1 AND is_main = 1)
                ON CONFLICT (id) DO UPDATE SET public_url = excluded.public_url
                """, [.text(url.domain.text), .text(publicURL.text)]),
            Self.requireOwnHosts, Self.countRevision, Self.notify)
        guard sets[1].affected > 0 else { throw .domainExists(url.domain) }
    }

    private func written(_ name: DomainName, in set: ResultSet?) async throws(LedgerFault) -> Domain {
        let domain = try await LedgerFault.asking(try set?.first { row throws(StorageFault) in try Domain(row) })
        guard let domain else { throw .corrupt("domain \(name) is gone") }
        return domain
    }
}
