package import LightningCoding

/// Work that follows from recorded facts, kept with them until it is done: at least once, across restarts.
///
/// The ledger itself adds the work that follows from a settlement, in the same transaction, whichever process writes
/// it. Several processes may claim work at once; each piece belongs to one of them until its claim expires.
///
/// A claim is its holder and the count of its attempts: an instance that was forgotten and comes back does not change
/// what another one has claimed since.
///
/// Every call that writes is durable on return.
package protocol Outbox: Sendable {
    /// Adds work, unless the id exists.
    ///
    /// - Parameter holder: who already carries it out, holding a claim until `dueAt`; nil when nobody does.
    func add(_ work: OutboxWork, heldBy holder: String?) async throws(LedgerFault)

    /// Takes work of a kind whose time has come, and counts an attempt at each. Accounts take turns, those with the least in hand
    /// first, and what has no account takes turns as one; of each the longest due comes first. Nobody else is given it before the claim runs out.
    ///
    /// - Parameters:
    ///   - holder: who claims it: as a rule the id of an instance, with which its claims end.
    ///   - lease: the lease of whoever carries out the outbox; nil for a command that makes one attempt beside it.
    /// - Throws: `leaseLost`, and then nothing is claimed.
    func claim(
        _ kind: OutboxKind, limit: Int, for holder: String, at now: UnixTime, until: UnixTime, under lease: Lease?
    ) async throws(LedgerFault) -> OutboxClaim

    /// Frees claimed work of a kind. What others have claimed was interrupted: the attempt counts, since the work itself may
    /// have ended them, and the next one follows after a pause. What `holder` has claimed was never begun, since the outcome of
    /// the call was unknown, or ended in good order: it is due at once, and the attempt does not count. What was added with a
    /// holder stays theirs.
    ///
    /// - Parameters:
    ///   - ids: the work that the caller has in hand, which stays claimed.
    ///   - dueAt: when the next attempt at interrupted work follows.
    /// - Throws: `leaseLost`, and then nothing is changed.
    func freeClaims(
        of kind: OutboxKind, for holder: String, except ids: Set<OutboxID>, under lease: Lease,
        dueAt: @escaping @Sendable (OutboxWork) -> UnixTime
    ) async throws(LedgerFault)

    /// Removes work that is done or no longer useful, whoever has claimed it since.
    func remove(_ id: OutboxID) async throws(LedgerFault)

    /// Postpones work after a failed attempt. Does nothing when the claim of `work` is no longer current.
    func postpone(_ work: OutboxWork, until dueAt: UnixTime, because failure: String) async throws(LedgerFault)

    /// Gives work back until a moment, since its next step is not due before: the attempt does not count. Does nothing when the
    /// claim of `work` is no longer current.
    func reschedule(_ work: OutboxWork, until dueAt: UnixTime, because reason: String) async throws(LedgerFault)

    /// Changes what is to be done and when, and ends the claim: an attempt that is on its way changes nothing more. False,
    /// without a change, when somebody has changed or claimed the work since it was read.
    func update(_ work: OutboxWork, to job: some OutboxJob, dueAt: UnixTime) async throws(LedgerFault) -> Bool

    /// Parks work, which is then not retried automatically. Does nothing when the claim of `work` is no longer current.
    func park(_ work: OutboxWork, at now: UnixTime, because failure: String) async throws(LedgerFault)

    /// Removes parked work of a kind whose deadline has come; returns how much.
    ///
    /// - Parameters:
    ///   - lease: see ``claim(_:limit:for:at:until:under:)``.
    /// - Throws: `leaseLost`, and then nothing is removed.
    func forgetParked(
        _ kind: OutboxKind, limit: Int, at now: UnixTime, under lease: Lease?
    ) async throws(LedgerFault) -> Int

    /// Makes work due now, parked or not, and resets its attempts; false when the id is unknown.
    func retry(_ id: OutboxID, at now: UnixTime) async throws(LedgerFault) -> Bool

    /// How many pieces of work of a kind, parked or not, are about a subject or one below it. Counting ends at `most`.
    func count(_ kind: OutboxKind, about subject: OutboxSubject, upTo most: Int) async throws(LedgerFault) -> Int

    func work(_ id: OutboxID) async throws(LedgerFault) -> OutboxWork?

    /// A page of work, newest first.
    func outbox(_ query: OutboxQuery) async throws(LedgerFault) -> Page<OutboxWork>

    /// Whether settlements of all accounts add work, besides those accounts whose settings ask for it.
    func tellSettlementsOfAll(_ isWanted: Bool) async throws(LedgerFault)

    func tellsSettlementsOfAll() async throws(LedgerFault) -> Bool
}

package struct OutboxQuery: Hashable, Sendable {
    package var account: AccountID?
    package var kind: OutboxKind?
    /// Only parked work, or only work that is not.
    package var isParked: Bool?
    package var after: PageMark?
    package var limit: Int

    package init(
        account: AccountID? = nil, kind: OutboxKind? = nil, isParked: Bool? = nil, after: PageMark? = nil,
        limit: Int = 50
    ) {
        self.account = account
        self.kind = kind
        self.isParked = isParked
        self.after = after
        self.limit = min(max(limit, 1), 1000)
    }
}

package struct OutboxClaim: Hashable, Sendable {
    /// The claimed work, longest due first; `attempts` includes this one.
    package let work: [OutboxWork]
    package let nextDue: UnixTime?

    package init(work: [OutboxWork], nextDue: UnixTime?) {
        self.work = work
        self.nextDue = nextDue
    }
}

/// Totals of a ledger, over all processes.
package struct LedgerTotals: Hashable, Sendable {
    package let settlements: UInt64
    package let pending: [OutboxKind: UInt64]
    package let parked: [OutboxKind: UInt64]

    package init(settlements: UInt64, pending: [OutboxKind: UInt64], parked: [OutboxKind: UInt64]) {
        self.settlements = settlements
        self.pending = pending
        self.parked = parked
    }
}
