import Platform
package import ResponderModel

/// The ledger's accounts and domains, cached in memory, since every request needs one of each.
///
/// Unknown names are not cached, so that strangers cannot fill the memory and new accounts work at once. Changes by
/// other processes are seen after `refresh`.
package final class AccountDirectory: Sendable {
    private let ledger: any AccountLedger & DomainLedger
    private let known: Guarded<Known>

    private struct Known {
        var revision: UInt64 = 0
        var domains: DomainTable?
        var accounts: [AccountID: Account] = [:]
        var versions: [Version: AccountVersion] = [:]
    }

    private struct Version: Hashable {
        let account: AccountID
        let number: UInt64
    }

    private static let capacity = 50_000

    package init(ledger: any AccountLedger & DomainLedger) {
        self.ledger = ledger
        known = Guarded(Known())
    }

    /// The account of that name, or nil.
    package func account(named name: AccountID) async throws(LedgerFault) -> Account? {
        if let account = known.withLock({ $0.accounts[name] }) { return account }
        let before = known.withLock { $0.revision }
        guard let account = try await ledger.account(named: name) else { return nil }
        known.withLock { known in
            // If a refresh came in between, what was read may be outdated.
            guard known.revision == before, known.accounts.count < Self.capacity else { return }
            known.accounts[name] = account
        }
        return account
    }

    package func domains() async throws(LedgerFault) -> DomainTable {
        let (table, before) = known.withLock { ($0.domains, $0.revision) }
        if let table { return table }
        let read = DomainTable(try await ledger.domains())
        known.withLock { known in
            if known.revision == before { known.domains = read }
        }
        return read
    }

    /// One version of an account, or nil.
    package func version(_ number: UInt64, of account: Account) async throws(LedgerFault) -> AccountVersion? {
        if number == account.version { return account.currentVersion }
        let key = Version(account: account.id, number: number)
        if let version = known.withLock({ $0.versions[key] }) { return version }
        guard let version = try await ledger.version(number, of: account.id) else { return nil }
        known.withLock { known in
            if known.versions.count < Self.capacity { known.versions[key] = version }
        }
        return version
    }

    /// Clears the cache if any process has changed an account or a domain since.
    package func refresh() async throws(LedgerFault) {
        clear(unlessAt: try await ledger.accountsRevision())
    }

    /// Clears the cache once any process has changed an account or a domain, or imported an offer, since.
    ///
    /// - Parameter revision: what this returned last; nil returns at once.
    /// - Returns: the revision; the same one when the task was cancelled.
    package func refresh(after revision: UInt64?) async throws(LedgerFault) -> UInt64 {
        let current =
            if let revision { try await ledger.accountsRevision(otherThan: revision) } else {
                try await ledger.accountsRevision()
            }
        clear(unlessAt: current)
        return current
    }

    private func clear(unlessAt revision: UInt64) {
        known.withLock { known in
            guard known.revision != revision else { return }
            known = Known(revision: revision)
        }
    }
}
