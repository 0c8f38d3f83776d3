public import Bolt12
public import LNURL
public import LightningCoding
public import LightningCrypto
public import Platform

/// The durable store of accounts, invoices, settlements and used challenges. Several processes may use one ledger at
/// once.
///
/// Every call that writes is durable on return: what it wrote survives a crash and a loss of power.
public protocol Ledger: Sendable {
    /// Notified of everything that this process writes, once per fact, after it is durable.
    var observers: Observers<LedgerFact> { get }

    /// The account of that name, or nil.
    func account(named name: AddressName) async throws(LedgerFault) -> Account?

    /// All accounts, by name.
    func accounts() async throws(LedgerFault) -> [Account]

    /// Adds an account or changes its settings. The version increases if and only if the metadata text or the requested
    /// payer data (LUD-18) changes.
    func putAccount(
        named name: AddressName,
        settings: AccountSettings,
        metadata: String,
        at now: UnixTime
    ) async throws(LedgerFault) -> Account

    /// Removes an account; false when there was none. Its invoices and the texts of its versions stay.
    func removeAccount(named name: AddressName) async throws(LedgerFault) -> Bool

    /// One version of an existing account, or nil.
    func version(_ number: UInt64, of name: AddressName) async throws(LedgerFault) -> AccountVersion?

    /// The metadata text in force at a moment: the last one stored by then, or else the first; nil when there is no
    /// such account.
    func metadata(of name: AddressName, standingAt moment: UnixTime) async throws(LedgerFault) -> StandingMetadata?

    /// Stores an invoice before its text may leave, and consumes its claim in the same transaction.
    ///
    /// - Throws: `duplicateInvoice`, `challengeUsed`, `unknownOffer`, `offerDisabled`, `offerExhausted` or
    ///   `requestAnswered`; then nothing is written.
    func record(_ invoice: IssuedInvoice, using claim: InvoiceClaim?) async throws(LedgerFault)

    /// Why `record(_:using:)` would reject an invoice for an offer now. Checked before the node is called, to avoid
    /// useless invoices; `record` decides.
    func obstacle(to claim: OfferClaim, at now: UnixTime) async throws(LedgerFault) -> LedgerFault?

    /// Whether a challenge has been used.
    func isUsed(_ challenge: UsedChallenge) async throws(LedgerFault) -> Bool

    /// How many invoices of an account can still be paid, counted up to a limit.
    func openInvoices(
        of account: AddressName, at now: UnixTime, countingTo limit: UInt64
    ) async throws(LedgerFault) -> OpenInvoices

    /// The invoice with that hash, or nil.
    func invoice(_ paymentHash: PaymentHash) async throws(LedgerFault) -> IssuedInvoice?

    /// A page of invoices, newest first.
    func invoices(_ query: InvoiceQuery) async throws(LedgerFault) -> InvoicePage

    /// Stores a settlement together with the backend's cursor. A settlement of an unknown or already settled invoice
    /// moves the cursor only; but a payment of an offer that this node has made for an account adds the invoice,
    /// settled, even when the offer is disabled or the account removed, since the money has arrived.
    ///
    /// - Returns: the invoice, when this call has settled it.
    func record(
        _ settlement: Settlement,
        from backend: BackendName
    ) async throws(LedgerFault) -> IssuedInvoice?

    /// Stores the settlement of an invoice that was looked up by its hash. Its position in the node's order is unknown,
    /// so the backend's cursor does not move.
    ///
    /// - Returns: the invoice, when this call has settled it.
    func record(
        _ settlement: RecordedSettlement,
        of paymentHash: PaymentHash,
        from backend: BackendName
    ) async throws(LedgerFault) -> IssuedInvoice?

    /// Moves the cursor of a backend past settlements that change nothing here.
    func pass(to cursor: SettlementCursor, of backend: BackendName) async throws(LedgerFault)

    /// The cursor after the last stored settlement of a backend.
    func cursor(of backend: BackendName) async throws(LedgerFault) -> SettlementCursor?

    /// Deletes the cursor of a backend whose count was reset.
    func forgetCursor(of backend: BackendName) async throws(LedgerFault)

    /// Records that the settlements of a backend are being followed; see `FollowedSpan.continued(at:)`.
    func noteFollowing(_ backend: BackendName, at now: UnixTime) async throws(LedgerFault)

    /// The time over which the settlements of a backend were followed without a gap; nil when they never were.
    func followedSpan(of backend: BackendName) async throws(LedgerFault) -> FollowedSpan?

    /// Checks that the backend is still the same node: for a different one, its cursor and invoices would be
    /// meaningless. The first node is remembered.
    ///
    /// - Throws: `anotherNode` when it is not.
    func bind(_ backend: BackendName, to node: PublicKey) async throws(LedgerFault)

    /// Deletes the node, cursor and followed span of a backend; false when nothing was stored. Its invoices stay.
    func unbind(_ backend: BackendName) async throws(LedgerFault) -> Bool

    /// Deletes expired challenges and requests; returns how many.
    func prune(before now: UnixTime) async throws(LedgerFault) -> Int

    /// Invoices of a backend that expired unpaid before a moment, up to a limit, in an order of the ledger's own.
    ///
    /// - Parameter mark: where to continue; nil for the beginning.
    func expiredInvoices(
        of backend: BackendName, before moment: UnixTime, after mark: ExpiredInvoice.Mark?, limit: Int
    ) async throws(LedgerFault) -> [ExpiredInvoice]

    /// Deletes those of these invoices that expired unpaid before a moment, with the requests that they answered;
    /// returns how many. Others are never deleted.
    func forgetExpired(_ paymentHashes: [PaymentHash], before moment: UnixTime) async throws(LedgerFault) -> Int

    /// Checks that the ledger accepts writes: writes something durable that changes nothing.
    func probe() async throws(LedgerFault)

    /// Changes whenever any process changes an account; for caches.
    func accountsRevision() async throws(LedgerFault) -> UInt64

    /// Stores an offer. An existing one is not changed, except that a missing maker is filled in.
    ///
    /// - Returns: the offer as stored.
    func putOffer(_ offer: IssuedOffer) async throws(LedgerFault) -> IssuedOffer

    /// The offer of that id, or nil.
    func offer(_ id: OfferID) async throws(LedgerFault) -> IssuedOffer?

    /// The offers of an account, or of all, newest first.
    func offers(of account: AddressName?) async throws(LedgerFault) -> [IssuedOffer]

    /// Disables an offer; false when there is none. Issued invoices can still be paid.
    func disableOffer(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool

    /// Records that the node which made an offer has disabled it too; false when there is no such offer.
    func noteDisabledAtNode(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool

    /// The invoice issued for a request while it can be paid; nil when there is none, or when it has been paid or has
    /// expired.
    func answer(to request: RequestDigest, at now: UnixTime) async throws(LedgerFault) -> IssuedInvoice?

    /// Records how a notification was handled.
    func record(_ event: EventRecord) async throws(LedgerFault)

    /// A page of handled notifications, newest first.
    func events(_ query: EventQuery) async throws(LedgerFault) -> EventPage

    /// Deletes handled notifications older than a moment, and all but the newest ones; returns how many.
    func pruneEvents(before moment: UnixTime, keeping newest: UInt64) async throws(LedgerFault) -> Int

    /// Adds work that follows from a fact outside the ledger, unless its id exists or as many pieces of its kind are
    /// pending.
    func add(_ work: OutboxWork, upTo most: Int) async throws(LedgerFault)
}
