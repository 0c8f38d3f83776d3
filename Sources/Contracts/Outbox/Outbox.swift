public import LightningCoding

/// What must be done because something was written down: kept beside the facts until it is done, at least once, across restarts.
///
/// Work that follows from a settlement is added by the ledger itself, in the settlement's own transaction, by whatever process
/// writes that down. Several processes may take work at once: each piece goes to one of them until its claim runs out.
///
/// Every call that writes is durable on return.
public protocol Outbox: Sendable {
    /// Adds work, unless there is some of that id.
    ///
    /// - Parameter holder: who carries it out already, and has it as if claimed until `dueAt`; nil when nobody does.
    func add(_ work: OutboxWork, heldBy holder: String?) async throws(LedgerFault)

    /// Takes work of a kind whose time has come, and counts an attempt at each. Accounts take turns, those with the least in hand
    /// first; of each account the longest due comes first. Nobody else is given it before the claim runs out.
    ///
    /// - Parameters:
    ///   - holder: who takes it; the same name after a restart.
    ///   - until: when the claim runs out.
    func claim(
        _ kind: OutboxKind, limit: Int, for holder: String, at now: UnixTime, until: UnixTime
    ) async throws(LedgerFault) -> OutboxClaim

    /// Gives back, to be done at once, what a holder had claimed: at its start, since what it had in hand died with it.
    ///
    /// - Returns: how much that is.
    func release(heldBy holder: String, at now: UnixTime) async throws(LedgerFault) -> Int

    /// Removes work that is done, or of no use any more.
    func remove(_ id: OutboxID) async throws(LedgerFault)

    /// Puts work off after a failed attempt. Nothing changes when the claim is no longer the one that `work` came with.
    func postpone(_ work: OutboxWork, until dueAt: UnixTime, because failure: String) async throws(LedgerFault)

    /// Sets work aside that is not tried again by itself. Nothing changes when the claim is no longer the one that `work` came
    /// with.
    func park(_ work: OutboxWork, at now: UnixTime, because failure: String) async throws(LedgerFault)

    /// Makes work due now, parked or not, with all its attempts before it; false when there is none of that id.
    func retry(_ id: OutboxID, at now: UnixTime) async throws(LedgerFault) -> Bool

    /// The work of that id, or nil.
    func work(_ id: OutboxID) async throws(LedgerFault) -> OutboxWork?

    /// A page of work, newest first.
    func outbox(_ query: OutboxQuery) async throws(LedgerFault) -> OutboxPage

    /// How much work there is, and how many payments were ever written down.
    func totals() async throws(LedgerFault) -> LedgerTotals

    /// Writes down how an accepted notification was handled, and removes the work that it was, together. Nothing is written when
    /// that is gone: then somebody else has.
    func record(_ event: EventRecord, finishing id: OutboxID) async throws(LedgerFault)

    /// Whether work is added for the settlements of all accounts, beside those accounts whose settings ask for it.
    func tellSettlementsOfAll(_ isWanted: Bool) async throws(LedgerFault)
}
