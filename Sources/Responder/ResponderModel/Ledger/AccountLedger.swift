package import LightningCoding

/// The accounts, and the metadata that each version of them has shown to payers.
package protocol AccountLedger: Sendable {
    func account(named name: AccountID) async throws(LedgerFault) -> Account?

    /// All accounts, by domain and name.
    func accounts() async throws(LedgerFault) -> [Account]

    /// Adds an account or changes its settings. The version increases if and only if the metadata text or the requested
    /// payer data (LUD-18) changes.
    ///
    /// - Parameter revision: the revision before the caller read what it changes, so that it undoes no change that it has not
    ///   seen; nil for any.
    /// - Throws: `changedMeanwhile` at another revision, `unknownDomain` when there is no such domain, `nameRegistered` when an
    ///   app user has the name, `hostOfAccount` when a domain has the account's own host.
    func putAccount(
        named name: AccountID,
        settings: AccountSettings,
        metadata: String,
        at now: UnixTime,
        expecting revision: UInt64?
    ) async throws(LedgerFault) -> Account

    /// Removes an account; false when there was none. Its invoices and the texts of its versions stay.
    func removeAccount(named name: AccountID) async throws(LedgerFault) -> Bool

    /// One version of an existing account, or nil.
    func version(_ number: UInt64, of name: AccountID) async throws(LedgerFault) -> AccountVersion?

    /// The metadata text in force at a moment: the last one stored by then, or else the first; nil when there is no
    /// such account.
    func metadata(of name: AccountID, shownAt moment: UnixTime) async throws(LedgerFault) -> ShownMetadata?

    /// Changes whenever any process changes an account or a domain, or imports an offer, whose key is then read anew; for
    /// caches.
    func accountsRevision() async throws(LedgerFault) -> UInt64

    /// Waits until the revision differs from a known one. A change by another process may be seen a quarter of a second
    /// late.
    ///
    /// - Returns: the revision; the known one only when the task was canceled.
    func accountsRevision(otherThan known: UInt64) async throws(LedgerFault) -> UInt64
}

extension AccountLedger {
    /// Adds an account or changes its settings, whatever they were.
    package func putAccount(
        named name: AccountID, settings: AccountSettings, metadata: String, at now: UnixTime
    ) async throws(LedgerFault) -> Account {
        try await putAccount(named: name, settings: settings, metadata: metadata, at: now, expecting: nil)
    }
}

/// The metadata text of an account at a moment, and when it was replaced.
package struct ShownMetadata: Hashable, Sendable {
    package let version: UInt64
    package let text: String
    /// When the next version was stored; nil when there is none yet.
    package let replacedAt: UnixTime?

    package init(version: UInt64, text: String, replacedAt: UnixTime?) {
        self.version = version
        self.text = text
        self.replacedAt = replacedAt
    }
}
