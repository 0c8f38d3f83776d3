import LNURL
import LedgerRecords
package import LightningCoding
package import ResponderModel

extension ServerLedger {
    /// The account of that name, or nil.
    package func account(named id: AccountID) async throws(LedgerFault) -> Account? {
        try await first(Self.namedAccount, id.values()) { row throws(StorageFault) in try Account(row) }
    }

    /// All accounts, by domain and name.
    package func accounts() async throws(LedgerFault) -> [Account] {
        try await rows(Account.query + " ORDER BY domain.name, account.name", within: Self.longWork) {
            row throws(StorageFault) in
            try Account(row)
        }
    }

    private static let namedAccount = Account.query + " AND domain.name = $2 AND account.name = $1"

    /// Adds an account, continuing the versions of a removed one of that name, or changes its settings.
    package func putAccount(
        named id: AccountID,
        settings: AccountSettings,
        metadata: String,
        at now: UnixTime,
        expecting revision: UInt64?
    ) async throws(LedgerFault) -> Account {
        let account: [Value] = id.values()
        let texts: [Value] = [.text(metadata), .text(settings.payerData.setting.serialized())]
        let sets = try await write(
            Self.lockAccounts, Self.lock([.name(id)], in: id.domain), Query(Self.standing, id.values()),
            query(
                Self.puttingAccount,
                account + texts + [.text(settings.json.serialized()), try .time(now), Self.expected(revision)]),
            query(Self.addingVersion, account + texts + [try .time(now)]),
            Self.requireOwnHosts,
            Self.tellSettlements(of: id, settings.settlementWebhook != nil, expecting: revision),
            Self.tellSettlements(of: id, by: .ownerPayment, settings.owner != nil, expecting: revision),
            Self.countRevision(expecting: revision), Self.notify,
            Query(Self.namedAccount, account)
        )
        try Self.require(revision, in: sets[0])
        let written = try await LedgerFault.asking(
            try sets.last?.first { row throws(StorageFault) in try Account(row) })
        if let written { return written }
        switch try await LedgerFault.asking(try sets[2].first { row throws(StorageFault) in try NameStanding(row) }) {
        case .registered, .held: throw .nameRegistered(id)
        case .free, .account, .reserved, nil: throw .unknownDomain(id.domain)
        }
    }

    /// A text or payer data other than those of the current version make a new one. A name that an app user has, or may
    /// take again, is left to them.
    private static let puttingAccount = """
        WITH known AS (
            SELECT account.id, account_version.metadata = $3 AND account_version.payer_data = $4 AS is_current
            FROM account JOIN account_version
                ON account_version.account = account.id AND account_version.version = account.version
            WHERE account.id = \(AccountID.number("$1", "$2"))
        )
        INSERT INTO account (domain, name, version, settings, created_at)
        SELECT id, $1, 1, $5, $6 FROM domain WHERE name = $2 AND is_removed = 0 AND \(isExpected("$7"))
            AND NOT EXISTS (SELECT 1 FROM registration WHERE domain = domain.id AND name = $1)
            AND NOT EXISTS (SELECT 1 FROM kept_name WHERE domain = domain.id AND name = $1 AND owner IS NOT NULL)
        ON CONFLICT (domain, name) DO UPDATE SET settings = excluded.settings, is_removed = 0,
            version = account.version + (SELECT CASE WHEN is_current THEN 0 ELSE 1 END FROM known)
        """

    private static let addingVersion = """
        INSERT INTO account_version (account, version, metadata, payer_data, created_at)
        SELECT account.id, account.version, $3, $4, $5 FROM account JOIN domain ON domain.id = account.domain
        WHERE domain.name = $2 AND domain.is_removed = 0 AND account.name = $1
        ON CONFLICT (account, version) DO NOTHING
        """

    /// Removes an account; its row is kept for its versions and invoices.
    package func removeAccount(named id: AccountID) async throws(LedgerFault) -> Bool {
        let sets = try await write(
            Self.lockAccounts,
            Query(
                """
                WITH removed AS (
                    UPDATE account SET is_removed = 1 WHERE id = \(AccountID.number("$1", "$2")) AND is_removed = 0
                    RETURNING id
                ), silent AS (DELETE FROM settlement_listener WHERE account IN (SELECT id FROM removed))
                UPDATE accounts_revision SET revision = revision + 1 WHERE EXISTS (SELECT 1 FROM removed)
                """, id.values()),
            Self.notify)
        return sets[1].affected > 0
    }

    /// One version of an existing account, or nil.
    package func version(_ number: UInt64, of id: AccountID) async throws(LedgerFault) -> AccountVersion? {
        guard let version = Int64(exactly: number) else { return nil }
        return try await first(
            """
            SELECT account_version.metadata, account_version.payer_data
            FROM account JOIN account_version ON account_version.account = account.id
            WHERE account.id = \(AccountID.number("$1", "$2")) AND account.is_removed = 0
                AND account_version.version = $3
            """, id.values() + [.integer(version)]
        ) { row throws(StorageFault) in
            try AccountVersion(number: number, row)
        }
    }

    /// The metadata text in force at a moment: the last one stored by then, or else the first.
    package func metadata(
        of id: AccountID, standingAt moment: UnixTime
    ) async throws(LedgerFault) -> StandingMetadata? {
        let query = try query(
            """
            SELECT standing.version, standing.metadata, (
                SELECT next.created_at FROM account_version AS next
                WHERE next.account = standing.account AND next.version = standing.version + 1
            )
            FROM account JOIN account_version AS standing ON standing.account = account.id
            WHERE account.id = \(AccountID.number("$1", "$2")) AND account.is_removed = 0
                AND (standing.created_at <= $3 OR standing.version = 1)
            ORDER BY standing.version DESC LIMIT 1
            """, id.values() + [try .time(moment)])
        return try await first(query.sql, query.values) { row throws(StorageFault) in try StandingMetadata(row) }
    }
}

extension ServerLedger {
    /// Whoever changes accounts or domains does so alone.
    static let lockAccounts = Query("SELECT revision FROM accounts_revision FOR UPDATE")

    /// No account of a wildcard domain shares its own host with a domain.
    static let requireOwnHosts = Query("SELECT require_own_hosts()")

    /// Makes every process read accounts and imported keys anew.
    static let countRevision = countRevision(expecting: nil)

    static func countRevision(expecting revision: UInt64?) -> Query {
        Query("UPDATE accounts_revision SET revision = revision + 1 WHERE \(isExpected("$1"))", [expected(revision)])
    }

    /// The value that `isExpected` compares.
    static func expected(_ revision: UInt64?) -> Value { revision.map { .integer(Int64(clamping: $0)) } ?? .null }

    /// Whether accounts and domains are as they were at the revision in that parameter; NULL is any.
    static func isExpected(_ parameter: String) -> String {
        "coalesce((SELECT revision FROM accounts_revision) = \(parameter)::bigint, true)"
    }

    /// - Parameter set: what `lockAccounts` has read.
    static func require(_ revision: UInt64?, in set: ResultSet) throws(LedgerFault) {
        guard let revision else { return }
        let present = try rethrowing(
            set.first { row throws(StorageFault) in try row.unsigned(0) }
        ) { (fault: StorageFault) in LedgerFault(fault) }
        guard present == revision else { throw .changedMeanwhile }
    }

    /// Where changes of accounts and domains are told of.
    static let revisionChannel = "lightning_responder_accounts"

    /// Tells the other processes, once it is committed.
    static let notify = Query("SELECT pg_notify('\(revisionChannel)', '')")

    /// Whether settlements add work of a kind.
    ///
    /// - Parameters:
    ///   - account: nil for all.
    ///   - revision: changes nothing at another one.
    static func tellSettlements(
        of account: AccountID?, by kind: OutboxKind = .settlementWebhook, _ isWanted: Bool,
        expecting revision: UInt64? = nil
    ) -> Query {
        let number = AccountID.number("$1", "$2")
        return Query(
            isWanted
                ? """
                INSERT INTO settlement_listener (account, kind)
                SELECT \(number), $3 WHERE ($1::text IS NULL OR \(number) IS NOT NULL) AND \(isExpected("$4"))
                ON CONFLICT DO NOTHING
                """
                : """
                DELETE FROM settlement_listener
                WHERE account IS NOT DISTINCT FROM \(number) AND kind = $3 AND \(isExpected("$4"))
                """,
            (account?.values() ?? [.null, .null]) + [.text(kind.rawValue), expected(revision)])
    }
}
