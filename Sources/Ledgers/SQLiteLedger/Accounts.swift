import LNURL
import LedgerRecords
package import LightningCoding
package import ResponderModel

extension LedgerDatabase {
    /// The account of that name, or nil.
    package func account(named id: AccountID) async throws(LedgerFault) -> Account? {
        try await read { connection throws(StorageFault) in
            try connection.account(id)
        }
    }

    /// All accounts, by domain and name.
    package func accounts() async throws(LedgerFault) -> [Account] {
        try await read { connection throws(StorageFault) in
            try connection.rows(Account.query + " ORDER BY domain.name, account.name", read: Account.init)
        }
    }

    /// Adds an account, continuing the versions of a removed one of that name, or changes its settings.
    package func putAccount(
        named id: AccountID,
        settings: AccountSettings,
        metadata: String,
        at now: UnixTime,
        expecting revision: UInt64?
    ) async throws(LedgerFault) -> Account {
        let outcome: Result<Account, LedgerFault> = try await write { connection throws(StorageFault) in
            guard try connection.isAt(revision) else { return .failure(.changedMeanwhile) }
            guard let domain = try connection.number(of: id.domain) else { return .failure(.unknownDomain(id.domain)) }
            switch try connection.standing(of: id.name, in: domain) {
            case .registered, .held: return .failure(.nameRegistered(id))
            case .free, .account, .reserved: break
            }
            try connection.put(
                id, settings: settings.json.serialized(), metadata: metadata,
                payerData: settings.payerData.setting.serialized(), at: try .time(now)
            )
            try connection.requireOwnHosts()
            try connection.tellSettlements(of: id, settings.settlementWebhook != nil)
            try connection.tellSettlements(of: id, by: .ownerPayment, settings.owner != nil)
            guard let account = try connection.account(id) else { throw .corrupt("account \(id) is gone") }
            return .success(account)
        }
        return try outcome.get()
    }

    /// Removes an account; its row is kept for its versions and invoices.
    package func removeAccount(named id: AccountID) async throws(LedgerFault) -> Bool {
        try await write { connection throws(StorageFault) in
            let removed = try connection.run(
                "UPDATE account SET is_removed = 1 WHERE id = \(AccountID.number("?1", "?2")) AND is_removed = 0",
                id.values()
            )
            if removed > 0 {
                try connection.tellSettlements(of: id, false)
                try connection.tellSettlements(of: id, by: .ownerPayment, false)
                try connection.countAccountsRevision()
            }
            return removed > 0
        }
    }

    /// One version of an existing account, or nil.
    package func version(_ number: UInt64, of id: AccountID) async throws(LedgerFault) -> AccountVersion? {
        guard let version = Int64(exactly: number) else { return nil }
        return try await read { connection throws(StorageFault) in
            try connection.first(
                """
                SELECT account_version.metadata, account_version.payer_data
                FROM account JOIN account_version ON account_version.account = account.id
                WHERE account.id = \(AccountID.number("?1", "?2")) AND account.is_removed = 0
                    AND account_version.version = ?3
                """,
                id.values() + [.integer(version)]
            ) { row throws(StorageFault) in
                try AccountVersion(number: number, row)
            }
        }
    }

    /// The metadata text in force at a moment: the last one stored by then, or else the first.
    package func metadata(
        of id: AccountID, standingAt moment: UnixTime
    ) async throws(LedgerFault) -> StandingMetadata? {
        try await read { connection throws(StorageFault) in
            try connection.first(
                """
                SELECT standing.version, standing.metadata, (
                    SELECT next.created_at FROM account_version AS next
                    WHERE next.account = standing.account AND next.version = standing.version + 1
                )
                FROM account JOIN account_version AS standing ON standing.account = account.id
                WHERE account.id = \(AccountID.number("?1", "?2")) AND account.is_removed = 0
                    AND (standing.created_at <= ?3 OR standing.version = 1)
                ORDER BY standing.version DESC LIMIT 1
                """,
                id.values() + [try .time(moment)]
            ) { row throws(StorageFault) in
                try StandingMetadata(row)
            }
        }
    }

    /// A number that increases with every change of an account or a domain.
    package func accountsRevision() async throws(LedgerFault) -> UInt64 {
        try await read { connection throws(StorageFault) in try connection.accountsRevision() }
    }

    /// Looks four times a second: SQLite has no way to notify other processes. Its `data_version` would say that
    /// something was written, which in a busy service is always true.
    package func accountsRevision(otherThan known: UInt64) async throws(LedgerFault) -> UInt64 {
        while true {
            let revision = try await accountsRevision()
            guard revision == known, (try? await Task.sleep(for: .milliseconds(250))) != nil else { return revision }
        }
    }
}

extension Connection {
    fileprivate func account(_ id: AccountID) throws(StorageFault) -> Account? {
        try first(
            Account.query + " AND domain.name = ?2 AND account.name = ?1", id.values(), read: Account.init)
    }

    fileprivate func put(
        _ id: AccountID,
        settings: String,
        metadata: String,
        payerData: String,
        at now: Value
    ) throws(StorageFault) {
        let isCurrent = try first(
            """
            SELECT account_version.metadata, account_version.payer_data
            FROM account JOIN account_version
                ON account_version.account = account.id AND account_version.version = account.version
            WHERE account.id = \(AccountID.number("?1", "?2"))
            """,
            id.values()
        ) { row throws(StorageFault) in
            let (text, asked) = (try row.text(0), try row.text(1))
            return text == metadata && asked == payerData
        }
        if let isCurrent {
            try run(
                """
                UPDATE account SET settings = ?3, version = version + ?4, is_removed = 0
                WHERE id = \(AccountID.number("?1", "?2"))
                """,
                id.values() + [.text(settings), .integer(isCurrent ? 0 : 1)]
            )
        } else {
            try run(
                """
                INSERT INTO account (domain, name, version, settings, created_at)
                SELECT id, ?1, 1, ?3, ?4 FROM domain WHERE name = ?2
                """,
                id.values() + [.text(settings), now]
            )
        }
        if isCurrent != true {
            try run(
                """
                INSERT INTO account_version (account, version, metadata, payer_data, created_at)
                SELECT id, version, ?3, ?4, ?5 FROM account WHERE id = \(AccountID.number("?1", "?2"))
                """,
                id.values() + [.text(metadata), .text(payerData), now]
            )
        }
        try countAccountsRevision()
    }

    fileprivate func accountsRevision() throws(StorageFault) -> UInt64 {
        let revision = try first("SELECT revision FROM accounts_revision") { row throws(StorageFault) in
            try row.unsigned(0)
        }
        guard let revision else { throw .corrupt("the revision of the accounts is gone") }
        return revision
    }

    /// Whether accounts and domains are as they were at that revision; nil is any.
    func isAt(_ revision: UInt64?) throws(StorageFault) -> Bool {
        guard let revision else { return true }
        return try revision == accountsRevision()
    }

    /// Makes every process read accounts and imported keys anew.
    func countAccountsRevision() throws(StorageFault) {
        try run("UPDATE accounts_revision SET revision = revision + 1")
    }
}
